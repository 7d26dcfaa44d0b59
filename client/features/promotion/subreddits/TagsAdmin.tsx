import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Fetched } from '../../../ui/Fetched.tsx'
import { Fold } from '../../../ui/Fold.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { tagsQuery } from './api.ts'
import styles from './subreddits.module.css'
import { tagTexts as texts } from './texts.ts'

const TagForm = lazyPart(() => import('./TagForm.tsx').then((module) => module.TagForm))

/** The tags of subreddits, and the form for another, which comes once they are looked at. */
export function TagsAdmin() {
  const tags = useQuery(tagsQuery)
  const [looked, setLooked] = useState(false)
  return (
    <Fold title={texts.title} onOpen={() => setLooked(true)}>
      <div className={styles.parts}>
        <p className={styles.quiet}>{texts.about}</p>
        <Fetched query={tags} failed={texts.failed}>
          {({ items }) =>
            items.length === 0 ? (
              <p className={styles.quiet}>{texts.none}</p>
            ) : (
              <ul className={styles.chips} aria-label={texts.list}>
                {items.map(({ _id, name }) => (
                  <li key={_id}>
                    <Tag>{name}</Tag>
                  </li>
                ))}
              </ul>
            )
          }
        </Fetched>
        {looked && <TagForm />}
      </div>
    </Fold>
  )
}
