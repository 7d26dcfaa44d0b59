import { z } from 'zod'

/** Why an item is taken down, as its creator is told. */
export const TAKEDOWN_GROUNDS = ['illegal', 'consent', 'copyright', 'terms', 'review'] as const
export const TakedownGround = z.enum(TAKEDOWN_GROUNDS)
export type TakedownGround = z.output<typeof TakedownGround>

/** The sentence that the creator reads; nothing says who complained. */
const sentences: Record<TakedownGround, string> = {
  illegal: 'It appears to show something illegal.',
  consent: 'We can’t confirm that everyone shown in it agreed to it.',
  copyright: 'Someone else may own the rights to it.',
  terms: 'It breaks our Terms of Service.',
  review: 'We’re reviewing it and will let you know.',
}

/** The whole reason, with what the operator adds to it; empty where none was given. */
export const takedownReason = (ground: TakedownGround | null, note: string): string =>
  [ground === null ? '' : sentences[ground], note].filter(Boolean).join(' ')

/** Whether the files of what is taken down for that are blocked from being uploaded again, unless the operator says otherwise. */
export const blocksFiles = (ground: TakedownGround): boolean => ground === 'illegal' || ground === 'consent'
