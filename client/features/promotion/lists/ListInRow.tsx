import type { ReactNode } from 'react'
import { Tag } from '../../../ui/Tag.tsx'
import type { ListInShort } from './api.ts'
import styles from './lists.module.css'
import { listTexts as texts } from './texts.ts'

/** One list in short; `children` are the buttons at the end of its row. */
export function ListInRow({ list, children }: { list: ListInShort; children: ReactNode }) {
  const { title, siteWide, removeFromSearch, subreddits, count } = list
  return (
    <li className={styles.row}>
      <div className={styles.words}>
        <p className={styles.name}>{title}</p>
        <p className={styles.about}>
          {texts.count(count)}
          {siteWide && <Tag>{texts.isSiteWide}</Tag>}
          {removeFromSearch && <Tag>{texts.isRemoved}</Tag>}
        </p>
        <p className={styles.few}>{texts.inShort(subreddits, count)}</p>
      </div>
      <div className={styles.actions}>{children}</div>
    </li>
  )
}
