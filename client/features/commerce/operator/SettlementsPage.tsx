import { IconBuildingBank } from '@tabler/icons-react'
import { paths } from '../../../lib/paths.ts'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { formatDateTime } from '../../../ui/format.ts'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Money } from '../../../ui/Money.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { Tag } from '../../../ui/Tag.tsx'
import { booksPath, type Settlement, settlementsQuery } from './api.ts'
import styles from './operator.module.css'
import { settlementTexts as texts } from './texts.ts'

/** What the gateway settled, batch by batch, and whether that is what our payments come to. */
export function Component() {
  const list = useList(settlementsQuery)
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      action={
        <>
          <LinkButton to={booksPath} variant="default">
            {texts.books}
          </LinkButton>
          <LinkButton to={paths.payments} variant="default">
            {texts.payments}
          </LinkButton>
        </>
      }
    >
      <GrowingList
        list={list}
        failed={texts.failed}
        waiting={<SkeletonLines lines={8} />}
        empty={
          <EmptyState Icon={IconBuildingBank} title={texts.none}>
            {texts.noneWhy}
          </EmptyState>
        }
      >
        <ul className={styles.list} aria-label={texts.title}>
          {list.items.map((settlement) => (
            <Row key={settlement._id} settlement={settlement} />
          ))}
        </ul>
      </GrowingList>
    </Page>
  )
}

const TONES = { posted: 'good', differs: 'bad', waiting: 'neutral' } as const

function Row({ settlement }: { settlement: Settlement }) {
  const { batchId, settledAt, net, charged, refunded, chargedBack, state, difference } = settlement
  return (
    <li className={styles.row}>
      <div>
        <p className={styles.name}>
          {texts.batch(batchId)} · <Money value={net} />
        </p>
        {difference !== null && <p>{texts.difference(difference)}</p>}
        <p className={styles.note}>
          {[
            formatDateTime(settledAt),
            texts.charged(charged),
            refunded !== '$0' && texts.refunded(refunded),
            chargedBack !== '$0' && texts.chargedBack(chargedBack),
          ]
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
      <Tag tone={TONES[state]}>{texts.states[state]}</Tag>
    </li>
  )
}
