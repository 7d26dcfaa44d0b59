/** A name that people have in addresses of pages: letters, digits, `_`, `.`, `-`; beside the schemas, so that it can be told without them. */
export const USERNAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{1,29}$/

/** A forum username as it is typed: no leading `/u/`, no white space (docs/product.md, Limits). */
export function cleanForumUsername(typed: string): string {
  return typed.replace(/\s+/g, '').replace(/^\/?u\//i, '')
}
