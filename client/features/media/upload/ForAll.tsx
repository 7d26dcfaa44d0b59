import { NativeSelect } from '@mantine/core'
import { useState } from 'react'
import { DEFAULT_PRICE } from '../../../../contract/constants.ts'
import { libraryRoutes } from '../../../../contract/routes/media/library.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { AudienceField } from '../edit/AudienceField.tsx'
import { type Audience, flagsOf } from '../edit/words.ts'
import { type BulkChange, batchesOf, useBulkEdit } from '../manage/api.ts'
import { texts as manageTexts } from '../manage/texts.ts'
import { PriceField } from '../parts/price/PriceField.tsx'
import { TagSelect } from '../tags/TagSelect.tsx'
import styles from './ForAll.module.css'
import { texts } from './texts.ts'

/** The subscriptions that uploads can be put into, which belong to a domain above this one. */
export type Subscriptions = {
  choices: readonly { value: string; label: string }[]
  add: (subscriptionId: string, mediaIds: readonly string[]) => Promise<unknown>
}

type Values = { audience: Audience | null; price: string; addTagIds: string[]; subscriptionId: string }

function changeOf({ audience, price, addTagIds }: Values): BulkChange {
  return {
    ...(audience ? flagsOf(audience) : {}),
    ...(audience === 'single' ? { price } : {}),
    ...(addTagIds.length > 0 ? { addTagIds } : {}),
  }
}

type ForAllProps = {
  /** The finished items. */
  mediaIds: readonly string[]
  /** How many files are still on their way to it. */
  coming: number
  subscriptions: Subscriptions
}

/** Audience, price, tags and subscription of all uploads at once. */
export function ForAll({ mediaIds, coming, subscriptions }: ForAllProps) {
  const edit = useBulkEdit()
  const [changed, setChanged] = useState(0)
  const [first = [], ...others] = batchesOf(mediaIds)
  const initial: Values = { audience: null, price: DEFAULT_PRICE, addTagIds: [], subscriptionId: '' }
  const form = useContractForm(libraryRoutes.bulkEditMedia, {
    initial,
    body: (values) => ({ mediaIds: first, ...changeOf(values) }),
    send: async (_body, values) => {
      const change = changeOf(values)
      let count = 0
      setChanged(count)
      for (const batch of Object.keys(change).length > 0 ? [first, ...others] : []) {
        const { items } = await edit.mutateAsync({ mediaIds: batch, change })
        count += items.length
        setChanged(count)
      }
      if (values.subscriptionId) await subscriptions.add(values.subscriptionId, mediaIds)
      return mediaIds.length
    },
    lost: null,
  })
  const { values } = form
  const nothing = Object.keys(changeOf(values)).length === 0 && values.subscriptionId === ''
  return (
    <ContractForm form={form} className={styles.all} label={texts.all.title}>
      <h2 className={styles.title}>{texts.all.title}</h2>
      <AudienceField label={texts.all.who} {...form.field('audience')} />
      <div className={styles.fields}>
        {values.audience === 'single' && <PriceField label={texts.all.price} {...form.field('price')} />}
        <TagSelect label={texts.all.addTags} creatable {...form.field('addTagIds')} />
        {subscriptions.choices.length > 0 && (
          <NativeSelect
            label={texts.all.subscription}
            size="md"
            value={values.subscriptionId}
            onChange={(event) => form.set('subscriptionId', event.currentTarget.value)}
            data={[{ value: '', label: texts.all.none }, ...subscriptions.choices]}
          />
        )}
      </div>
      <FormError>
        {form.error && changed > 0 ? `${form.error} ${manageTexts.changedBefore(changed)}` : form.error}
      </FormError>
      <div className={styles.actions}>
        <Button type="submit" loading={form.pending} disabled={nothing || mediaIds.length === 0}>
          {coming > 0 && mediaIds.length > 0 ? texts.all.submitDone(mediaIds.length) : texts.all.submit}
        </Button>
        <span className={styles.done} role="status">
          {form.answer !== undefined && texts.all.updated(form.answer)}
        </span>
      </div>
    </ContractForm>
  )
}
