import { type ReactNode, type RefObject, useEffect, useRef } from 'react'
import { ErrorState } from '../ErrorState.tsx'
import { stateTexts } from '../texts.ts'
import styles from './GrowingList.module.css'
import { MoreFooter } from './MoreFooter.tsx'
import type { List } from './use-list.ts'

/** Milliseconds between two pages that are asked for by scrolling (docs/product.md, Limits). */
const THROTTLE_MS = 150

type GrowingListProps = {
  /** What `useList` answered. */
  list: List
  /** Shown while the first page loads. */
  waiting: ReactNode
  /** Shown instead when there is nothing. */
  empty: ReactNode
  /** Said when the first page did not come. */
  failed?: string
  /** More comes by a button instead of by scrolling: for a list with something below it. */
  byButton?: boolean
  /** What the button that brings more says. */
  moreLabel?: string | undefined
  children: ReactNode
}

/**
 * What is around a list that grows: its waiting, empty and failed states, the next page as its end comes near, and what
 * became of that page. It grows in whatever scrolls it, the window or a part of the page.
 */
export function GrowingList({
  list,
  waiting,
  empty,
  failed = stateTexts.loadFailed,
  byButton = false,
  moreLabel,
  children,
}: GrowingListProps) {
  const end = useRef<HTMLDivElement>(null)
  const { items, pageCount, hasNextPage, isFetching, isFetchNextPageError, fetchNextPage } = list
  // Asking for the next page would break off the reading of those before it, which would stay as they were.
  const grows = hasNextPage && !byButton && !isFetching && !isFetchNextPageError
  useReached(end, grows, pageCount, () => void fetchNextPage())
  if (list.isPending) return waiting
  if (list.error && items.length === 0) {
    return <ErrorState title={failed} error={list.error} onRetry={() => void list.refetch()} />
  }
  if (items.length === 0) return empty
  return (
    <div className={styles.list}>
      {children}
      <MoreFooter list={list} byButton={byButton} label={moreLabel} />
      <div ref={end} className={styles.end} aria-hidden />
    </div>
  )
}

/** Calls back when the element comes into sight, and when it still is as another round begins. */
function useReached(
  element: RefObject<HTMLElement | null>,
  active: boolean,
  round: number,
  onReached: () => void,
): void {
  const latest = useRef(onReached)
  const asked = useRef(-THROTTLE_MS)
  useEffect(() => {
    latest.current = onReached
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: an observer speaks when it begins and when something changes.
  useEffect(() => {
    if (!active || !element.current) return
    let timer: ReturnType<typeof setTimeout> | undefined
    const ask = () => {
      asked.current = performance.now()
      latest.current()
    }
    const observer = new IntersectionObserver((entries) => {
      clearTimeout(timer)
      if (!entries.at(-1)?.isIntersecting) return
      timer = setTimeout(ask, Math.max(0, asked.current + THROTTLE_MS - performance.now()))
    })
    observer.observe(element.current)
    return () => {
      clearTimeout(timer)
      observer.disconnect()
    }
  }, [element, active, round])
}
