import { IconPlus, IconSpeakerphone } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useEffect, useRef, useState } from 'react'
import { useSearchParams } from 'react-router'
import { paths } from '../../../lib/paths.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { isUnsent, type MassMessage, massMessageQuery, massMessagesQuery } from './api.ts'
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
  const listed = list.items.find(({ _id }) => _id === wanted)
  const isAsked = wanted !== null && wanted !== 'new' && opened?._id !== wanted && !listed
  // A link may lead to one that the pages of the list don't hold yet.
  const one = useQuery({ ...massMessageQuery(wanted ?? ''), enabled: isAsked })
  const found = listed ?? (isAsked ? one.data : undefined)
  const edited = opened?._id === wanted ? opened : found && isUnsent(found) ? found : null
  if (edited !== opened) setOpened(edited)
  const isForm = wanted === 'new' || edited !== null
  useFormFocus(isForm ? wanted : null)
  if (isForm || (isAsked && !one.data)) {
    return (
      <Page
        title={wanted === 'new' ? composeTexts.title : composeTexts.editTitle}
        width="text"
        back={<BackLink to={paths.massMessages}>{composeTexts.back}</BackLink>}
      >
        {isForm ? (
          <ComposeForm key={wanted} edited={edited} />
        ) : (
          <Fetched query={one} waiting={<SkeletonLines lines={6} />} failed={composeTexts.openFailed}>
            {() => null}
          </Fetched>
        )}
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

/** Gives the focus to the heading of the form that opens, and back to the link that opened it: they have one path. */
function useFormFocus(form: string | null): void {
  const shown = useRef(form)
  useEffect(() => {
    const before = shown.current
    shown.current = form
    if (form === before || document.activeElement !== document.body) return
    const link = `a[href="${paths.massMessage(before ?? undefined)}"]`
    const place = (form === null && document.querySelector<HTMLElement>(link)) || document.querySelector('h1')
    if (place?.matches('h1')) place.tabIndex = -1
    place?.focus({ preventScroll: place.matches('h1') })
  }, [form])
}
