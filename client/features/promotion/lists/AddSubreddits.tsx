import { keepPreviousData } from '@tanstack/react-query'
import { useState } from 'react'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { SearchBox } from '../../../ui/fields/SearchBox.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { leaveRow } from '../parts/focus.ts'
import { addableQuery } from './api.ts'
import styles from './lists.module.css'
import { editorTexts as texts } from './texts.ts'

type AddSubredditsProps = { chosen: readonly string[]; disabled: boolean; onAdd: (name: string) => void }

/** Finds tracked subreddits by part of their name, each with a button that adds it. */
export function AddSubreddits({ chosen, disabled, onAdd }: AddSubredditsProps) {
  const { isCreator } = useCurrentUser()
  const [search, setSearch] = useState('')
  const found = useList({ ...addableQuery(search, isCreator), placeholderData: keepPreviousData })
  const names = new Set(chosen.map((name) => name.toLowerCase()))
  return (
    <section className={styles.parts} aria-label={texts.search}>
      <SearchBox
        label={texts.search}
        placeholder={texts.searchHint}
        maxLength={60}
        value={search}
        onChange={setSearch}
      />
      <div className={styles.scroll} data-list-box aria-busy={found.isPlaceholderData}>
        <GrowingList
          list={found}
          failed={texts.searchFailed}
          waiting={<SkeletonLines lines={6} />}
          empty={<p className={styles.quiet}>{search ? texts.noResults(search) : texts.searchFirst}</p>}
        >
          <ul aria-label={texts.found}>
            {found.items.map(({ _id, name, subscribers }) => (
              <li key={_id} className={styles.one}>
                <div className={styles.words}>
                  <span className={styles.name}>r/{name}</span>
                  {subscribers !== null && (
                    <span className={styles.few}>{texts.subscribers(subscribers)}</span>
                  )}
                </div>
                {names.has(name.toLowerCase()) ? (
                  <span className={styles.added}>{texts.onList}</span>
                ) : (
                  <Button
                    variant="default"
                    size="sm"
                    disabled={disabled}
                    aria-label={texts.addOf(name)}
                    onClick={({ currentTarget }) => {
                      leaveRow(currentTarget)
                      onAdd(name)
                    }}
                  >
                    {texts.add}
                  </Button>
                )}
              </li>
            ))}
          </ul>
        </GrowingList>
      </div>
    </section>
  )
}
