import { IconGift, IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { Button } from '../../../ui/core/Button.tsx'
import { Dialog } from '../../../ui/Dialog.tsx'
import { EmptyState } from '../../../ui/EmptyState.tsx'
import { GrowingList } from '../../../ui/list/GrowingList.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { Page } from '../../../ui/Page.tsx'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { ownOffersQuery } from './api.ts'
import { OfferForm } from './form/OfferForm.tsx'
import { OfferItem } from './OfferItem.tsx'
import styles from './OffersPage.module.css'
import { offersTexts as texts } from './texts.ts'

/** A creator's offers with their links and figures, and the form for another (docs/product.md, Offers). */
export function Component() {
  const list = useList(ownOffersQuery)
  const [creating, setCreating] = useState(false)
  const create = (
    <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => setCreating(true)}>
      {texts.create}
    </Button>
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
          <EmptyState Icon={IconGift} title={texts.noneTitle} action={create}>
            {texts.none}
          </EmptyState>
        }
      >
        <ul className={styles.list} aria-label={texts.list}>
          {list.items.map((offer) => (
            <OfferItem key={offer._id} offer={offer} />
          ))}
        </ul>
      </GrowingList>
      <Dialog opened={creating} onClose={() => setCreating(false)} title={texts.create}>
        <OfferForm onCreated={() => setCreating(false)} />
      </Dialog>
    </Page>
  )
}
