import type { FileNode, FolderNode, Media } from "./media.ts";

/** Brings the files of one folder into another one as git does: what is not in the one any more goes from the other. */
export function carry(media: Media, from: string, to: string, isMeant: (name: string) => boolean): void {
  const source = media.find(from);
  if (source?.type !== "folder") return;
  const target = folderAt(media, to);
  const brought = new Map<string, FileNode>();
  for (const [name, node] of source.names) {
    if (node.type !== "file" || !isMeant(name)) continue;
    const copy = media.file(node.mode);
    media.append(copy, node.data);
    copy.durable = copy.data;
    brought.set(name, copy);
  }
  media.change(target, (names) => {
    for (const name of names.keys()) if (isMeant(name) && !brought.has(name)) names.delete(name);
    for (const [name, copy] of brought) names.set(name, copy);
  });
  media.sync(target);
}

function folderAt(media: Media, path: string): FolderNode {
  let folder = media.root;
  for (const name of path.split("/").filter((part) => part !== "")) {
    const next = folder.names.get(name);
    if (next?.type === "folder") {
      folder = next;
      continue;
    }
    const made = media.folder();
    media.change(folder, (names) => names.set(name, made));
    media.sync(folder);
    folder = made;
  }
  return folder;
}
