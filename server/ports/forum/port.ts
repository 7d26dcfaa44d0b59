import type { Flair, PostRequirements, SubredditRule } from '../../../contract/forum.ts'
import type { SubmissionType } from '../../../contract/promotion.ts'

/**
 * Functions of a forum. A method never throws for failures of the forum or the network: the outcome is a value. Names
 * of subreddits are without `/r/`, times are `Date`s, numbers of seconds are named so.
 */

/** The tokens that the forum issued for an account. */
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
  /** Null where the forum doesn’t say. */
  submissionType: SubmissionType | null
  description: string
}

export type FoundSubreddits = {
  subreddits: (SubredditFacts & { isPrivate: boolean })[]
  /** The cursor of the next page; null at the end. */
  after: string | null
}

/** The caller: an account by its access token, or the application itself. */
export type Asker = { accessToken: string } | 'anybody'

/** How much of the limit a call leaves to those that matter more: what publishes takes all, as a post has its time. What deletes can wait. */
export type Priority = 'publishing' | 'interactive' | 'background'

/** A link to be posted; flair as the subreddit offers it. */
export type NewPost = {
  subreddit: string
  title: string
  url: string
  flairId: string | null
  flairText: string | null
  isNsfw: boolean
  /** Whether it may stand there already. */
  isRepeated: boolean
}

/** The outcome of a submission. Nothing here is sent twice automatically. */
export type Published<T> =
  | { kind: 'published'; value: T }
  /** For good; `code` is the forum’s own, `message` its words. */
  | { kind: 'refused'; code: string; message: string }
  /** This account has to wait before it publishes again, there or anywhere. */
  | { kind: 'limited'; of: 'account' | 'subreddit'; retryAfterSeconds: number }
  /** The forum didn’t take it up, so that it can be sent again. */
  | { kind: 'unsent'; retryAfterSeconds: number }
  /** Nobody knows whether it was taken up. */
  | { kind: 'doubt'; detail: string }
  | { kind: 'unauthorized' }

/** A post as it stands on the forum. */
export type ForumPost = {
  /** Without the forum’s prefix. */
  id: string
  subreddit: string
  title: string
  url: string
  author: string
  /** A path on the forum. */
  permalink: string
  createdAt: Date
  score: number
  comments: number
  /** Who removed it, in the forum’s word; null while it is up. */
  removedBy: string | null
}

/** A private message between two people; `name`, `parentName` and `rootName` are the forum’s own names of messages. */
export type ForumMessage = {
  name: string
  author: string
  recipient: string
  subject: string
  body: string
  /** The message that it answers. */
  parentName: string | null
  /** The first message of its thread; null of that one itself, and where the forum doesn’t say. */
  rootName: string | null
  sentAt: Date
}

export type Forum = {
  /** The address of a path on the forum, for people. */
  pageUrl(path: string): string
  submit(post: NewPost, accessToken: string): Promise<Published<{ id: string; permalink: string }>>
  /** Comments on a post of this id. */
  comment(of: { postId: string; text: string }, accessToken: string): Promise<Published<null>>
  /** Answers a private message. */
  reply(to: { name: string; text: string }, accessToken: string): Promise<Published<null>>
  /**
   * The private messages that an account received, as far as a few pages show them. `reachesTo` is the time of the oldest
   * entry of these pages; null where they are all there is.
   */
  inbox(
    accessToken: string,
    priority: Priority,
  ): Promise<Answer<{ messages: ForumMessage[]; reachesTo: Date | null }>>
  /** The latest private messages that an account sent; at most 100. */
  sentMessages(accessToken: string, priority: Priority): Promise<Answer<ForumMessage[]>>
  /** Private messages of the latest threads, received and sent; many accounts have no answer to this anymore. */
  threads(accessToken: string, priority: Priority): Promise<Answer<ForumMessage[]>>
  /** Deletes a message on the account’s own side, as somebody waits for it; the forum says the same of any name. */
  deleteMessage(name: string, accessToken: string): Promise<Answer<null>>
  /** Names of the subreddits that somebody moderates; empty where there is no such person. */
  moderated(name: string, priority: Priority): Promise<Answer<string[]>>
  /** Deletes a post of the account’s own in the background; the forum says the same of any id, so it can be asked for again. */
  deletePost(id: string, accessToken: string): Promise<Answer<null>>
  /** The latest posts of an account, the newest first, removed ones too; at most 100. Looks up what is in doubt. */
  submissions(name: string, accessToken: string, priority: Priority): Promise<Answer<ForumPost[]>>
  /** The first and the latest comments on a post, as far as their author and text can be read. Looks up what is in doubt. */
  comments(postId: string, accessToken: string): Promise<Answer<{ author: string; text: string }[]>>
  /**
   * The current state of at most 100 posts; the forum leaves out those that it doesn’t find, or doesn’t show the
   * caller.
   */
  posts(ids: readonly string[], asker: Asker, priority: Priority): Promise<Answer<ForumPost[]>>
  /** Where an account’s person is asked for permission; the answer comes to our own page with `state`. */
  authorizeUrl(state: string): string
  /** The tokens for an authorization code, valid once. `complete` is false when permissions are missing. */
  exchange(code: string): Promise<Answer<Tokens & { complete: boolean }, GrantRefused>>
  renew(refreshToken: string): Promise<Answer<Tokens, GrantRefused>>
  /** Ends a grant; a token that is unknown by now succeeds too. */
  revoke(refreshToken: string): Promise<Answer<null>>
  identity(accessToken: string): Promise<Answer<ForumIdentity>>
  /** Takes one of the look-ups of new names that a person has; answers null, or in how many seconds there is another. */
  takeLookUp(person: string): Promise<number | null>
  subreddit(name: string, priority: Priority): Promise<Answer<SubredditFacts, SubredditUnreadable>>
  rules(name: string, priority: Priority): Promise<Answer<SubredditRule[], SubredditUnreadable>>
  /** Empty where people can’t choose any; only what everybody may choose. Unreadable: this account can’t tell. */
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
