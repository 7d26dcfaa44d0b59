import { availableParallelism } from 'node:os'

/** Pictures that are encoded at the same time, and threads of each: more would only hold more of them in memory. */
export const encodersAtOnce = Math.min(2, availableParallelism())

/** Works on every item, at most `atOnce` at a time, the first ones first; answers in the order of the items. */
export async function eachAtMost<Item, Made>(
  atOnce: number,
  items: readonly Item[],
  work: (item: Item) => Promise<Made>,
): Promise<Made[]> {
  const made: Made[] = []
  const waiting = items.entries()
  const worker = async () => {
    for (const [index, item] of waiting) made[index] = await work(item)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
  return made
}
