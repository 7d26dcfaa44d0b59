import { IconX } from '@tabler/icons-react'
import { useEffect, useRef, useState } from 'react'
import { Fetched } from '../../../ui/Fetched.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { MoreFooter } from '../../../ui/list/MoreFooter.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { searchQuery } from '../api.ts'
import type { Participant } from '../cache/timeline.ts'
import { searchTexts as texts } from '../occasional-texts.ts'
import { messageTexts } from '../texts.ts'
import styles from './Conversation.module.css'

type SearchPanelProps = {
  recipientId: string
  other: Participant
  /** Called with the position of the message that was chosen. */
  onFound: (position: number) => void
  onClose: () => void
}

/** Finds messages by their text; the one that is chosen is shown among its neighbors. */
export default function SearchPanel({ recipientId, other, onFound, onClose }: SearchPanelProps) {
  const [filter, setFilter] = useState('')
  const panel = useRef<HTMLDivElement>(null)
  useEffect(() => panel.current?.querySelector('input')?.focus(), [])
  return (
    // biome-ignore lint/a11y/useSemanticElements: browsers know the role better than the element.
    <div
      ref={panel}
      role="search"
      aria-label={texts.label}
      className={styles.search}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <div className={styles.searchLine}>
        <SearchBox
          label={texts.label}
          placeholder={texts.placeholder}
          value={filter}
          onChange={setFilter}
          maxLength={100}
          className={styles.searchField}
        />
        <button type="button" className={styles.icon} aria-label={texts.close} onClick={onClose}>
          <IconX size={20} stroke={1.5} aria-hidden />
        </button>
      </div>
      {filter === '' ? (
        <p className={styles.hint}>{texts.hint}</p>
      ) : (
        <Results recipientId={recipientId} other={other} filter={filter} onFound={onFound} />
      )}
    </div>
  )
}

/** Most characters that come before what was found, in UTF-16 code units. */
const BEFORE = 20
/** More than fit in one line: of a long message each place where it was found would be drawn. */
const SHOWN = 400

/** What is sought, ignoring case as a pattern does: in lower case some letters, such as 'İ', have another length. */
const patternOf = (sought: string) =>
  new RegExp(`(${sought.trim().replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&')})`, 'giu')

/** A line of a text from a few words before what was found in it, so that it shows this also far down a long message. */
export function fromFound(content: string, sought: string): string {
  const at = content.search(patternOf(sought))
  if (at <= BEFORE) return content.slice(0, SHOWN)
  const space = content.slice(at - BEFORE, at).search(/\s/)
  const from = space < 0 ? at : at - BEFORE + space + 1
  return `…${content.slice(from, from + SHOWN)}`
}

/** A text with what was sought in it marked. */
function Marked({ text, sought }: { text: string; sought: string }) {
  // Split by a pattern with a group, every second part is what was found.
  const parts = text.split(patternOf(sought)).entries()
  return [...parts].map(([at, part]) => (at % 2 === 1 ? <mark key={at}>{part}</mark> : part))
}

type ResultsProps = Pick<SearchPanelProps, 'recipientId' | 'other' | 'onFound'> & { filter: string }

function Results({ recipientId, other, filter, onFound }: ResultsProps) {
  const list = useList(searchQuery(recipientId, filter))
  const { items, pageCount } = list
  return (
    <Fetched query={{ ...list, data: list.first }} failed={texts.failed}>
      {() =>
        items.length === 0 && !list.hasNextPage ? (
          <p className={styles.hint}>{texts.nothing(filter)}</p>
        ) : (
          <div className={styles.results}>
            {items.length === 0 && (
              <p className={styles.hint} role="status">
                {pageCount > 1 ? texts.nothingSoFar : texts.nothingYet}
              </p>
            )}
            <ul aria-label={texts.results} hidden={items.length === 0}>
              {items.map(({ _id, senderId, content, createdAt, position }) => (
                <li key={_id}>
                  <button type="button" className={styles.result} onClick={() => onFound(position)}>
                    <span className={styles.resultWhen}>
                      {senderId === other._id ? other.username : messageTexts.youWrote} ·{' '}
                      {formatDateTime(createdAt)}
                    </span>
                    <span className={styles.resultText}>
                      <Marked text={fromFound(content, filter)} sought={filter} />
                    </span>
                  </button>
                </li>
              ))}
            </ul>
            <MoreFooter list={list} byButton label={items.length === 0 ? texts.older : undefined} />
          </div>
        )
      }
    </Fetched>
  )
}
