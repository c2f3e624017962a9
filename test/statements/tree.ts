/** Helpers to read the tree that PostgreSQL's parser (libpg-query) returns for a statement. */

/** A node as the parser returns it: `{ FuncCall: { funcname: […], args: […] } }`. */
export type Tree = Readonly<Record<string, unknown>>;

const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value);

/** Kinds of nodes begin with a capital letter, fields do not. Some fields contain a node without its kind. */
const isKind = (key: string): boolean => /^[A-Z]/.test(key);

/**
 * Calls `visit` with every node below `tree`, outermost first.
 * @param visit returns false to skip the inside of a node
 */
export function walk(tree: unknown, visit: (kind: string, node: Tree) => boolean | undefined): void {
  if (Array.isArray(tree)) {
    for (const item of tree) walk(item, visit);
    return;
  }
  if (!isTree(tree)) return;
  for (const [key, value] of Object.entries(tree)) {
    if (isKind(key) && isTree(value) && visit(key, value) === false) continue;
    walk(value, visit);
  }
}

/** All nodes of a kind below `tree`. */
export function allOf(tree: unknown, wanted: string): Tree[] {
  const found: Tree[] = [];
  walk(tree, (kind, node) => {
    if (kind === wanted) found.push(node);
    return undefined;
  });
  return found;
}

/** The words of a name: `["public", "now"]`. */
export function nameOf(parts: unknown): string[] {
  return allOf(parts, 'String').map(({ sval }) => sval as string);
}
