import { IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useState } from 'react'
import { useSearchParams } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { isUnsent, type MassMessage, massMessagesQuery } from './api.ts'
import { MassMessageItem } from './MassMessageItem.tsx'
import styles from './mass-messages.module.css'
import { composeTexts, massTexts as texts } from './texts.ts'

const ComposeForm = lazyPart(() => import('./ComposeForm.tsx').then((module) => module.ComposeForm))

/** A creator's messages to many people with their figures, or the form for one; the address says which. */
export function Component() {
  const [parameters] = useSearchParams()
  const list = useList(massMessagesQuery)
  const wanted = parameters.get('compose')
  // The one that was opened stays as it was, whatever becomes of it while its form is filled in.
  const [opened, setOpened] = useState<MassMessage | null>(null)
  const found = list.items.find((message) => message._id === wanted && isUnsent(message)) ?? null
  const edited = opened?._id === wanted ? opened : found
  if (edited !== opened) setOpened(edited)
  if (wanted === 'new' || edited) {
    return (
      <Page
        title={edited ? composeTexts.editTitle : composeTexts.title}
        width="text"
        back={<BackLink to={paths.massMessages}>{composeTexts.back}</BackLink>}
      >
        <ComposeForm key={wanted} edited={edited} />
      </Page>
    )
  }
  const create = (
    <LinkButton to={paths.massMessage()} leftSection={<IconPlus size={16} aria-hidden />}>
      {texts.create}
    </LinkButton>
  )
  return (
    <Page
      title={texts.title}
      lead={texts.lead}
      width="text"
      {...(list.items.length > 0 ? { action: create } : {})}
    >
      <GrowingList
        list={list}
        failed={texts.loadFailed}
        waiting={<SkeletonLines lines={6} />}
        empty={
          <EmptyState Icon={IconSpeakerphone} title={texts.noneTitle} action={create}>
            {texts.none}
          </EmptyState>
        }
      >
        <ul className={styles.list} aria-label={texts.list}>
          {list.items.map((message) => (
            <MassMessageItem key={message._id} message={message} />
          ))}
        </ul>
      </GrowingList>
    </Page>
  )
}
