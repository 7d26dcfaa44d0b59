import { IconPlus, IconRepeat } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { promotionPaths } from '../../../lib/promotion-paths.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { ConnectPrompt } from '../parts/ConnectPrompt.tsx'
import { QueueDialog } from '../timeline/QueueDialog.tsx'
import { slotsQuery } from './api.ts'
import { ReuseRules } from './ReuseRules.tsx'
import { SlotDialog } from './SlotDialog.tsx'
import { SlotRow } from './SlotRow.tsx'
import styles from './slots.module.css'
import { slotsTexts as texts } from './texts.ts'

/** Times of the week that fill themselves, and what is posted again or deleted. */
export function Component() {
  const { forumConnected } = useCurrentUser()
  const slots = useQuery(slotsQuery)
  const [open, setOpen] = useState<'slot' | 'queue' | null>(null)
  const add = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setOpen('slot')}>
      {texts.add}
    </Button>
  )
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      width="text"
      back={<BackLink to={promotionPaths.timeline}>{texts.timeline}</BackLink>}
    >
      <div className={styles.sections}>
        {!forumConnected && <ConnectPrompt />}
        <Fetched query={slots} waiting={<SkeletonLines lines={6} />} failed={texts.failed}>
          {({ items, timeZone }) =>
            items.length === 0 ? (
              <EmptyState Icon={IconRepeat} title={texts.emptyTitle} action={add}>
                {texts.empty}
              </EmptyState>
            ) : (
              <section aria-label={texts.list}>
                <div className={styles.tools}>
                  <p className={styles.quiet}>{texts.zone(timeZone)}</p>
                  <div className={styles.bar}>
                    <Button variant="default" onClick={() => setOpen('queue')}>
                      {texts.queue}
                    </Button>
                    {add}
                  </div>
                </div>
                <ul className={styles.slots}>
                  {items.map((slot) => (
                    <SlotRow key={slot._id} slot={slot} />
                  ))}
                </ul>
              </section>
            )
          }
        </Fetched>
        <ReuseRules />
      </div>
      <SlotDialog slot={null} opened={open === 'slot'} onClose={() => setOpen(null)} />
      <QueueDialog opened={open === 'queue'} onClose={() => setOpen(null)} />
    </Page>
  )
}
