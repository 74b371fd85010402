type Attributes = Readonly<Record<string, string | number>>;

/** An element with its content, which is elements already. Numbers are cut to what can be seen. */
export function element(name: string, attributes: Attributes, ...content: readonly string[]): string {
  const said = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === "number" ? place(value) : escaped(value)}"`)
    .join("");
  return content.length === 0 ? `<${name}${said}/>` : `<${name}${said}>${content.join("")}</${name}>`;
}

export function text(attributes: Attributes, words: string): string {
  return element("text", attributes, escaped(words));
}

export function place(value: number): string {
  return String(Number(value.toFixed(1)));
}

export function escaped(words: string): string {
  return words
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}
