import { IconCalendarPlus } from '@tabler/icons-react'
import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { MAX_PLAN_ROWS } from '../../../../contract/promotion.ts'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { allTurned, NOTHING_SELECTED, type Selection, turned } from '../../../ui/selection.ts'
import { type Candidate, candidatesQuery } from '../schedule/api.ts'
import type { Poster } from '../schedule/PosterField.tsx'
import type { Wanted } from './api.ts'
import styles from './plan.module.css'
import { initialRows } from './rows.ts'
import { planTexts as texts } from './texts.ts'

const STEP = 30
const MAX_SEARCH = 50
const keyOf = ({ _id, subreddit }: Candidate) => `${_id} ${subreddit}`

type CandidateChoiceProps = { poster: Poster; loading: boolean; onPlan: (wanted: Wanted) => void }

/** The candidates for the next posts, to be chosen one by one, in ranges, or as many as a plan holds. */
export function CandidateChoice({ poster, loading, onPlan }: CandidateChoiceProps) {
  const [subreddit, setSubreddit] = useState('')
  const [selection, setSelection] = useState<Selection>(NOTHING_SELECTED)
  const list = useList({ ...candidatesQuery(subreddit, STEP), placeholderData: keepPreviousData })
  const keys = list.items.map(keyOf)
  const count = list.first?.count ?? 0
  const first = Math.min(count, MAX_PLAN_ROWS)
  const chosen = list.items.filter((candidate) => selection.chosen.has(keyOf(candidate)))
  const isTooLong = chosen.length > MAX_PLAN_ROWS
  return (
    <section aria-label={texts.list}>
      <div className={styles.tools}>
        <SearchBox
          label={texts.search}
          placeholder={texts.searchHint}
          maxLength={MAX_SEARCH}
          value={subreddit}
          onChange={(next) => {
            setSubreddit(next)
            setSelection(NOTHING_SELECTED)
          }}
          className={styles.search}
        />
        <p className={styles.quiet} role="status">
          {list.first ? texts.count(count) : ''}
        </p>
      </div>
      <GrowingList
        list={list}
        byButton
        failed={texts.failed}
        waiting={<SkeletonLines lines={10} />}
        empty={
          subreddit ? (
            <EmptyState Icon={IconCalendarPlus} title={texts.noResults(subreddit)} />
          ) : (
            <EmptyState
              Icon={IconCalendarPlus}
              title={texts.emptyTitle}
              action={<LinkButton to={promotionPaths.posts}>{texts.posts}</LinkButton>}
            >
              {texts.empty}
            </EmptyState>
          )
        }
      >
        <label className={styles.all}>
          <input
            type="checkbox"
            className={styles.box}
            checked={keys.length > 0 && keys.every((key) => selection.chosen.has(key))}
            onChange={() => setSelection(allTurned(selection, keys))}
          />
          {texts.all}
        </label>
        <ul className={styles.candidates} aria-label={texts.list}>
          {list.items.map((candidate) => (
            <li key={keyOf(candidate)}>
              <label className={styles.candidate}>
                <input
                  type="checkbox"
                  className={styles.box}
                  checked={selection.chosen.has(keyOf(candidate))}
                  // A click by the keyboard has the shift key as well.
                  onClick={({ shiftKey }) =>
                    setSelection(turned(selection, keys, keyOf(candidate), shiftKey))
                  }
                  readOnly
                  aria-label={texts.one(candidate.title, candidate.subreddit)}
                />
                <span className={styles.words}>
                  <span className={styles.name}>{candidate.title}</span>
                  <span className={styles.quiet}>r/{candidate.subreddit}</span>
                </span>
              </label>
            </li>
          ))}
        </ul>
      </GrowingList>
      {first > 0 && (
        <div className={styles.bar}>
          {chosen.length > 0 && (
            <Button
              loading={loading}
              disabled={isTooLong}
              onClick={() => onPlan({ rows: initialRows(chosen.map(rowOf(poster)), false) })}
            >
              {texts.chosen(chosen.length)}
            </Button>
          )}
          <Button
            variant={chosen.length > 0 ? 'default' : 'filled'}
            loading={loading}
            onClick={() => onPlan({ candidates: { limit: first, subreddit, ...poster } })}
          >
            {texts.first(first)}
          </Button>
          {isTooLong && <p role="alert">{texts.most(MAX_PLAN_ROWS)}</p>}
        </div>
      )}
    </section>
  )
}

/** At the end of the queue, with the title that fits and the post’s own comment. */
const rowOf =
  (poster: Poster) =>
  ({ _id, subreddit }: Candidate, line: number) => ({
    line,
    postId: _id,
    subreddit,
    title: '',
    comment: null,
    nsfw: null,
    flairId: null,
    flairText: null,
    flair: null,
    wanted: 'endOfQueue' as const,
    postTime: null,
    ...poster,
    problem: null,
  })
