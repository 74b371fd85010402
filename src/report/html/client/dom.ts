export type Child = Node | string | undefined;
export type Attributes = Readonly<Record<string, string | number | boolean | undefined>>;

export interface Dom {
  readonly el: <K extends keyof HTMLElementTagNameMap>(
    tag: K,
    attributes?: Attributes,
    ...children: readonly Child[]
  ) => HTMLElementTagNameMap[K];
  readonly svg: <K extends keyof SVGElementTagNameMap>(
    tag: K,
    attributes?: Attributes,
    ...children: readonly Child[]
  ) => SVGElementTagNameMap[K];
  /** A text that may be in any script: it cannot turn its neighbours around. */
  readonly name: (text: string, className?: string) => HTMLElement;
}

/** Elements from data without ever parsing it: attributes by name, all text as text nodes. */
export function dom(): Dom {
  function fill(element: Element, attributes: Attributes, children: readonly Child[]): void {
    for (const [name, value] of Object.entries(attributes)) {
      if (value === undefined || value === false) continue;
      element.setAttribute(name, value === true ? "" : String(value));
    }
    for (const child of children) if (child !== undefined) element.append(child);
  }

  const el: Dom["el"] = (tag, attributes = {}, ...children) => {
    const element = document.createElement(tag);
    fill(element, attributes, children);
    return element;
  };

  const svg: Dom["svg"] = (tag, attributes = {}, ...children) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    fill(element, attributes, children);
    return element;
  };

  return { el, svg, name: (text, className = "name") => el("bdi", { class: className }, text) };
}
