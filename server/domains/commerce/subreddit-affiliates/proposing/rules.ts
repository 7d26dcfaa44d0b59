/** What an operator wants paid: for how many subscribers (null: the held share alone), under which conditions, to whom. */
export type Terms = { subscribers: number | null; restrictions: string; moderatorId: string | null }

/** Whether another operator has proposed just this, so that two people stand behind it. */
export function isSeconded(
  proposal: (Terms & { proposedBy: string }) | null,
  terms: Terms,
  actorId: string,
): boolean {
  if (!proposal || proposal.proposedBy === actorId) return false
  return (
    proposal.subscribers === terms.subscribers &&
    proposal.restrictions === terms.restrictions &&
    proposal.moderatorId === terms.moderatorId
  )
}
