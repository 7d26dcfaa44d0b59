/** A person beside a sale, for whom the money record stays when they are gone (docs/product.md, Deleting an account). */
export function presentPerson(
  id: string,
  username: string,
  hiddenAt: Date | null,
): { _id: string; username: string } {
  return { _id: id, username: hiddenAt ? 'Deleted User' : username }
}
