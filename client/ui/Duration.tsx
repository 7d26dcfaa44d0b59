import { formatDuration } from './format.ts'

/** The length of a video, readable by machines too. */
export function Duration({ seconds }: { seconds: number }) {
  return <time dateTime={`PT${Math.max(0, Math.round(seconds))}S`}>{formatDuration(seconds)}</time>
}
