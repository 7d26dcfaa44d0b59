import { IconX } from '@tabler/icons-react'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { errorMessage } from '../../../lib/api.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { ErrorState } from '../../../ui/ErrorState.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { stateTexts } from '../../../ui/texts.ts'
import { searchQuery } from '../api.ts'
import { searchTexts as texts } from '../occasional-texts.ts'
import styles from './Conversation.module.css'

type SearchPanelProps = {
  recipientId: string
  /** Called with the position of the message that was chosen. */
  onFound: (position: number) => void
  onClose: () => void
}

/** Finds messages by their text; the one that is chosen is shown among its neighbors. */
export default function SearchPanel({ recipientId, onFound, onClose }: SearchPanelProps) {
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
        <Results recipientId={recipientId} filter={filter} onFound={onFound} />
      )}
    </div>
  )
}

type ResultsProps = Pick<SearchPanelProps, 'recipientId' | 'onFound'> & { filter: string }

function Results({ recipientId, filter, onFound }: ResultsProps) {
  const found = useInfiniteQuery(searchQuery(recipientId, filter))
  if (found.isPending) return <SkeletonLines />
  if (found.error && !found.data)
    return <ErrorState title={texts.failed} error={found.error} onRetry={() => void found.refetch()} />
  const items = found.data?.pages.flatMap((page) => page.items) ?? []
  if (items.length === 0 && !found.hasNextPage) return <p className={styles.hint}>{texts.nothing(filter)}</p>
  return (
    <div className={styles.results}>
      {items.length === 0 && (
        <p className={styles.hint} role="status">
          {found.data && found.data.pages.length > 1 ? texts.nothingSoFar : texts.nothingYet}
        </p>
      )}
      <ul aria-label={texts.results} hidden={items.length === 0}>
        {items.map(({ _id, content, createdAt, position }) => (
          <li key={_id}>
            <button type="button" className={styles.result} onClick={() => onFound(position)}>
              <span className={styles.resultWhen}>{formatDateTime(createdAt)}</span>
              <span className={styles.resultText}>{content}</span>
            </button>
          </li>
        ))}
      </ul>
      <FormError>{found.isFetchNextPageError ? errorMessage(found.error) : null}</FormError>
      {found.hasNextPage && (
        <Button
          variant="subtle"
          fullWidth
          loading={found.isFetchingNextPage}
          onClick={() => void found.fetchNextPage()}
        >
          {items.length === 0 ? texts.older : stateTexts.showMore}
        </Button>
      )}
    </div>
  )
}
