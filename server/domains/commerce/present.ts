/** A person beside a sale, for whom the money record stays when they are gone (decisions §5). */
export function presentPerson(
  id: string,
  username: string,
  hiddenAt: Date | null,
): { _id: string; username: string } {
  return { _id: id, username: hiddenAt ? 'Deleted User' : username }
}
