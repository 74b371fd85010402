import type { Graph, GraphNode, Payload } from "../payload.ts";
import type { Dom } from "./dom.ts";

export interface Picture {
  readonly element: () => HTMLElement | undefined;
}

/** The dependencies, drawn where the layout put them. Hover or focus shows the neighbours, a click goes there. */
export function picture(data: Payload, { el, svg }: Dom, go: (node: GraphNode) => void): Picture {
  const { graph } = data;
  const size = graph.node;

  function element(): HTMLElement | undefined {
    if (graph.edges.length === 0) return undefined;
    const drawing = svg(
      "svg",
      {
        viewBox: `0 0 ${graph.width} ${graph.height}`,
        // As wide as it is drawn, and never wider than the page.
        width: graph.width,
        role: "group",
        "aria-label": "Dependencies between the changes",
      },
      svg("defs", {}, arrow()),
      ...graph.columns.map((column) => svg("text", { class: "column", x: column.x, y: 18 }, column.kind)),
    );
    const edges = graph.edges.map((edge) => {
      const title = edge.count === 1 ? [] : [svg("title", {}, `${edge.count} dependencies`)];
      const path = svg("path", { class: "edge", d: edge.d, "marker-end": "url(#arrow)" }, ...title);
      drawing.append(path);
      return { ...edge, path };
    });
    const nodes = graph.nodes.map((node) => ({ node, group: drawNode(node) }));
    for (const { node, group } of nodes) {
      drawing.append(group);
      const near = new Set(
        edges.flatMap((edge) =>
          edge.from === node.key ? [edge.to] : edge.to === node.key ? [edge.from] : [],
        ),
      );
      const light = (on: boolean): void => {
        drawing.classList.toggle("lit", on);
        for (const edge of edges)
          edge.path.classList.toggle("near", on && (edge.from === node.key || edge.to === node.key));
        for (const other of nodes)
          other.group.classList.toggle("near", on && (other.node === node || near.has(other.node.key)));
      };
      for (const event of ["pointerenter", "focus"]) group.addEventListener(event, () => light(true));
      for (const event of ["pointerleave", "blur"]) group.addEventListener(event, () => light(false));
    }
    return el(
      "div",
      { class: "picture" },
      el(
        "div",
        { class: "scroll", tabindex: 0, role: "region", "aria-label": "Picture of the dependencies" },
        drawing,
      ),
      el("p", { class: "hint" }, hint(graph)),
    );
  }

  function hint({ collapsed, alone, aloneWaiting }: Graph): string {
    const parts = ["Arrows lead from what is done first to what needs it."];
    if (collapsed)
      parts.push("Too many changes to draw each: these are the kinds; a click shows one of them alone.");
    else if (alone > 0) {
      const changes = alone - aloneWaiting;
      const named = [
        changes === 0 ? "" : `${changes} ${changes === 1 ? "change" : "changes"}`,
        aloneWaiting === 0 ? "" : `${aloneWaiting} ${aloneWaiting === 1 ? "object" : "objects"} that wait`,
      ].filter((text) => text !== "");
      parts.push(
        `${named.join(" and ")} ${alone === 1 ? "stands alone and is" : "stand alone and are"} not drawn.`,
      );
    }
    return parts.join(" ");
  }

  function arrow(): SVGMarkerElement {
    const head = svg("path", { d: "M0 0L6 3L0 6z" });
    return svg(
      "marker",
      { id: "arrow", markerWidth: 6, markerHeight: 6, refX: 2, refY: 3, orient: "auto" },
      head,
    );
  }

  function drawNode(node: GraphNode): SVGGElement {
    const label =
      node.at === undefined ? `${node.kind}, ${node.text}` : `${node.kind} ${node.text}, ${node.state}`;
    const group = svg(
      "g",
      {
        class: `node ${node.state}`,
        tabindex: 0,
        role: "link",
        "aria-label": label,
        transform: `translate(${node.x} ${node.y})`,
        "data-key": node.key,
      },
      svg("title", {}, label),
      svg("rect", { width: size.width, height: size.height, rx: 5 }),
      svg(
        "svg",
        { width: size.width - 6, height: size.height },
        svg("text", { x: 10, y: size.height / 2 + 4 }, clip(node.text)),
      ),
    );
    group.addEventListener("click", () => go(node));
    group.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" && event.key !== " ") return;
      event.preventDefault();
      go(node);
    });
    return group;
  }

  /** Rough, since a font's widths are not known: the inner picture cuts the rest. The node's title is whole. */
  function clip(text: string): string {
    const most = 25;
    let used = 0;
    let kept = "";
    for (const { segment } of new Intl.Segmenter().segment(text)) {
      used += /[\u1100-\uffff]|\p{Emoji_Presentation}/u.test(segment) ? 1.8 : 1;
      if (used > most) return `${kept}…`;
      kept += segment;
    }
    return kept;
  }

  return { element };
}
