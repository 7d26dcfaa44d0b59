/** What differs from what is saved: sent alone, it takes back nothing that was saved in another tab meanwhile. */
export function changesOf<Values extends object>(now: Values, saved: NoInfer<Values>): Partial<Values> {
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(saved[name as keyof Values]),
  )
  return Object.fromEntries(changed) as Partial<Values>
}
