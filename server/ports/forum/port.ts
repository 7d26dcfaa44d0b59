import type { Flair, PostRequirements, SubredditRule } from '../../../contract/forum.ts'

/**
 * What a forum does for us. A method never throws for what the forum or the network did: the outcome is a value. Names
 * of subreddits are without `/r/`, times are `Date`s, numbers of seconds are named so.
 */

/** What the forum gave for an account. */
export type Tokens = {
  accessToken: string
  /** Good until its person revokes it. */
  refreshToken: string
  expiresAt: Date
}

/** Why a call has no answer. */
export type Failure =
  /** No answer, or one that says it is out of order: worth another try later. */
  | { kind: 'down'; detail: string }
  /** The forum’s limit, or our share of it, is used up for now. */
  | { kind: 'busy'; retryAfterSeconds: number }
  /** An answer that isn’t what the forum’s documentation says. */
  | { kind: 'malformed'; detail: string }
  /** The access token is no longer good; a renewed one may be. */
  | { kind: 'unauthorized' }
  /** Not allowed for this account. */
  | { kind: 'forbidden' }
  /** Our own client isn’t known to the forum, which only an operator can mend. */
  | { kind: 'misconfigured'; detail: string }

export type Answer<T, Refusal = never> = { kind: 'answered'; value: T } | Failure | Refusal

/** A grant that its person took back, or a code that isn’t good. */
export type GrantRefused = { kind: 'grant-refused' }
/** Why a subreddit can’t be read. */
export type SubredditUnreadable = { kind: 'private' | 'gone' | 'banned' | 'quarantined' }

export type ForumIdentity = { id: string; name: string }

export type SubredditFacts = {
  /** As the forum spells it. */
  name: string
  subscribers: number | null
  description: string
}

export type FoundSubreddits = {
  subreddits: (SubredditFacts & { isPrivate: boolean })[]
  /** What the next page is asked for with; null at the end. */
  after: string | null
}

/** Who asks: an account by its access token, or nobody in particular. */
export type Asker = { accessToken: string } | 'anybody'

/** How much of the limit a call leaves to those that matter more. */
export type Priority = 'interactive' | 'background'

export type Forum = {
  /** Where an account’s person is asked for permission; the answer comes to our own page with `state`. */
  authorizeUrl(state: string): string
  /** What a code of that page is good for, once. `complete` is false where permissions are missing. */
  exchange(code: string): Promise<Answer<Tokens & { complete: boolean }, GrantRefused>>
  renew(refreshToken: string): Promise<Answer<Tokens, GrantRefused>>
  /** Ends a grant; a token that is unknown by now succeeds too. */
  revoke(refreshToken: string): Promise<Answer<null>>
  identity(accessToken: string): Promise<Answer<ForumIdentity>>
  subreddit(name: string, priority: Priority): Promise<Answer<SubredditFacts, SubredditUnreadable>>
  rules(name: string, priority: Priority): Promise<Answer<SubredditRule[], SubredditUnreadable>>
  /** Empty where people can’t choose any; only what everybody may choose. */
  flair(name: string, accessToken: string, priority: Priority): Promise<Answer<Flair[], SubredditUnreadable>>
  requirements(
    name: string,
    accessToken: string,
    priority: Priority,
  ): Promise<Answer<PostRequirements, SubredditUnreadable>>
  /** Searches by words; `after` and `count` say what is shown already. */
  search(
    asked: { text: string; after: string | undefined; count: number; limit: number },
    asker: Asker,
  ): Promise<Answer<FoundSubreddits>>
}
