import { useEffect, useId, useRef, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { withCents } from '../../../ui/format.ts'
import { Hidden } from '../../../ui/Hidden.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import type { Reply, Thread } from './api.ts'
import styles from './inbox.module.css'
import { ReplyForm } from './ReplyForm.tsx'
import { ThreadActions } from './ThreadActions.tsx'
import { threadTexts as texts } from './texts.ts'
import { isLong } from './words.ts'

/** One thread: who wrote what, what was answered, and what can be done. */
export function ThreadCard({ thread }: { thread: Thread }) {
  if (thread.deleted) return <DeletedThread thread={thread} />
  const { subject, author, authorUrl, account, moderates, created_utc, lastContact, outOfSync, person } =
    thread
  return (
    <li className={styles.thread}>
      <div className={styles.head}>
        <h2 className={styles.subject}>{subject}</h2>
        {outOfSync && (
          <span title={texts.outOfSyncHint}>
            <Tag tone="warning">{texts.outOfSync}</Tag>
          </span>
        )}
      </div>
      <div className={styles.facts}>
        <p>
          {texts.from}{' '}
          {authorUrl === null ? (
            texts.authorOf(author)
          ) : (
            <a className={styles.author} href={authorUrl} target="_blank" rel="noreferrer">
              {texts.authorOf(author)}
              <Hidden> {texts.newTab}</Hidden>
            </a>
          )}{' '}
          {texts.toAccount(account)}
        </p>
        <p>
          {texts.received(created_utc)} · {lastContact ? texts.lastContact(lastContact) : texts.noContact}
        </p>
        {moderates.length > 0 && <p>{texts.moderates(moderates)}</p>}
      </div>
      {person && (
        <p className={styles.person}>
          <Link to={paths.profile(person.username)} className={styles.username}>
            @{person.username}
          </Link>
          {person.follows && <Tag>{texts.follows}</Tag>}
          {person.subscribed && <Tag tone="good">{texts.subscribed}</Tag>}
          {person.spent !== '$0' && <Tag tone="gold">{texts.spent(withCents(person.spent))}</Tag>}
        </p>
      )}
      <Body text={thread.body} />
      {thread.replies.length > 0 && <Replies thread={thread} />}
      <ReplyForm thread={thread} />
      <ThreadActions thread={thread} />
    </li>
  )
}

/** In the place of a thread that was just deleted; the keyboard continues there. */
function DeletedThread({ thread: { subject, author } }: { thread: Thread }) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => heading.current?.focus(), [])
  return (
    <li className={styles.thread}>
      <div className={styles.head}>
        <h2 className={styles.subject} tabIndex={-1} ref={heading}>
          {subject}
        </h2>
        <Tag>{texts.deleted}</Tag>
      </div>
      <p className={styles.facts}>
        {texts.from} {texts.authorOf(author)}
      </p>
    </li>
  )
}

/** Plain text as it was written; a long one starts folded. */
function Body({ text }: { text: string }) {
  const [open, setOpen] = useState(false)
  const id = useId()
  const long = isLong(text)
  return (
    <div>
      <p id={id} className={styles.body} data-folded={(long && !open) || undefined}>
        {text}
      </p>
      {long && (
        <Button
          variant="subtle"
          size="sm"
          className={styles.toggle}
          aria-expanded={open}
          aria-controls={id}
          onClick={() => setOpen(!open)}
        >
          {open ? texts.readLess : texts.readMore}
        </Button>
      )}
    </div>
  )
}

function Replies({ thread }: { thread: Thread }) {
  const { replies, subject, account } = thread
  const [chosen, setChosen] = useState<boolean>()
  const id = useId()
  // A reply with an open outcome must be visible.
  const open = chosen ?? replies.some(({ state }) => state !== 'sent')
  return (
    <div>
      <Button
        variant="subtle"
        size="sm"
        className={styles.toggle}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setChosen(!open)}
      >
        {open ? texts.hideReplies : texts.showReplies(replies.length)}
      </Button>
      <ul id={id} className={styles.replies} aria-label={texts.replies(subject)} hidden={!open}>
        {open && replies.map((reply) => <OneReply key={reply.id} reply={reply} account={account} />)}
      </ul>
    </div>
  )
}

function OneReply({ reply, account }: { reply: Reply; account: string }) {
  const { own, author, body, created_utc, state, failure } = reply
  return (
    <li className={styles.reply} data-own={own || undefined}>
      <p className={styles.by}>
        {own ? texts.you(account) : texts.authorOf(author)} · {texts.at(created_utc)}
      </p>
      <p className={styles.words}>{body}</p>
      {state !== 'sent' && (
        <p className={styles.state} data-state={state}>
          {state === 'failed' ? texts.states.failed(failure) : texts.states[state]}
        </p>
      )}
    </li>
  )
}
