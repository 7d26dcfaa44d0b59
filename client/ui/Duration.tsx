/** Whole seconds as minutes and seconds: `Xm Ys` (core §3). */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.round(seconds))
  return `${Math.floor(whole / 60)}m ${whole % 60}s`
}

/** The length of a video, readable by machines too. */
export function Duration({ seconds }: { seconds: number }) {
  return <time dateTime={`PT${Math.max(0, Math.round(seconds))}S`}>{formatDuration(seconds)}</time>
}
