/** A moment as people say it, in their own time zone. */
export function dayAndTime(moment: string): string {
  return new Date(moment).toLocaleString('en-US', { dateStyle: 'medium', timeStyle: 'short' })
}
