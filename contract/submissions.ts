import { z } from 'zod'

/**
 * Where a scheduled post is. `waiting`: its time has come and its person posts it by hand. `submitting`: it was sent,
 * and the forum’s answer isn’t known yet. `unknown`: nobody knows whether it went up, so that its person decides.
 */
export const SUBMISSION_STATES = [
  'scheduled',
  'waiting',
  'submitting',
  'posted',
  'failed',
  'unknown',
  'canceled',
] as const
export type SubmissionState = (typeof SUBMISSION_STATES)[number]

/** A warning about the time of a post, beside the person's others. */
export const CLASHES = ['frequency', 'duplicate', 'close'] as const
export type Clash = (typeof CLASHES)[number]

/** The rules that a post breaks, checked before it is sent; the first of these is shown first. */
export const POST_RULES = [
  'media',
  'subreddit',
  'kinds',
  'closed',
  'verification',
  'title-short',
  'title-long',
  'title-forbidden',
  'title-required',
  'flair',
  'link',
  'frequency',
  'repost',
  'same-media',
] as const
export type PostRule = (typeof POST_RULES)[number]

/** Why something wasn’t posted: `code` is the forum’s own or a rule’s name, `message` a sentence for its person. */
export const SubmissionFailure = z.object({
  code: z.string(),
  message: z.string(),
  /** The advice for it. */
  remedy: z.enum(['edit', 'verify', 'reopen', 'reconnect', 'reschedule', 'resubmit', 'check', 'none']),
})
export type SubmissionFailure = z.output<typeof SubmissionFailure>
