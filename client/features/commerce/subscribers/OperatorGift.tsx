import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { libraryRoutes } from '../../../../contract/routes/media/library.ts'
import { may, useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { Fetched } from '../../../ui/Fetched.tsx'
import { FilterButtons } from '../../../ui/FilterButtons.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { MoreFooter } from '../../../ui/list/MoreFooter.tsx'
import { useList } from '../../../ui/list/use-list.ts'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import { PeopleSearch } from '../../profiles/parts/people/PeopleSearch.tsx'
import { subscriptionsQuery } from '../api.ts'
import { unlockableQuery } from './api.ts'
import styles from './fans.module.css'
import { DaysForm, MonthsForm } from './GiftForms.tsx'
import { giftTexts, operatorTexts as texts } from './texts.ts'

type Person = { _id: string; username: string }
type GiftProps = { person: Person; onDone: () => void }

/** An operator's gift to a person: first the creator, then days, months, or an item. */
export function OperatorGift({ person, onDone }: GiftProps) {
  const user = useCurrentUser()
  const [creator, setCreator] = useState<Person | null>(null)
  const choices = [
    ...(may(user, 'subscriptions.extend')
      ? [
          { value: 'days' as const, label: texts.days },
          { value: 'months' as const, label: texts.months },
        ]
      : []),
    ...(may(user, 'media.unlock') ? [{ value: 'media' as const, label: texts.media }] : []),
  ]
  const [what, setWhat] = useState(choices[0]?.value ?? 'media')
  if (!creator)
    return (
      <div className={styles.gift}>
        <PeopleSearch
          label={texts.creator}
          placeholder={texts.creatorHint}
          among={({ isCreator }) => isCreator}
          nobody={texts.noCreator}
          onPick={setCreator}
        />
      </div>
    )
  return (
    <div className={styles.gift}>
      <p className={styles.from}>
        {texts.chosen(creator.username)}
        <Button variant="subtle" size="sm" onClick={() => setCreator(null)}>
          {texts.change}
        </Button>
      </p>
      {choices.length > 1 && (
        <FilterButtons label={texts.what} choices={choices} value={what} onChange={setWhat} />
      )}
      {what === 'media' ? (
        <UnlockForm person={person} creator={creator} onDone={onDone} />
      ) : (
        <PlanGift person={person} creator={creator} what={what} onDone={onDone} />
      )}
    </div>
  )
}

function PlanGift({
  person,
  creator,
  what,
  onDone,
}: GiftProps & { creator: Person; what: 'days' | 'months' }) {
  const plans = useQuery(subscriptionsQuery(creator._id))
  const Form = what === 'days' ? DaysForm : MonthsForm
  return (
    <Fetched query={plans} failed={texts.loadFailed}>
      {(data) =>
        data.length === 0 ? (
          <p>{texts.noPlans}</p>
        ) : (
          <Form key={what} person={person} plans={data} forCreator={creator._id} onDone={onDone} />
        )
      }
    </Fetched>
  )
}

/** Unlocks one of the creator's items for the person, for good. */
function UnlockForm({ person, creator, onDone }: GiftProps & { creator: Person }) {
  const list = useList(unlockableQuery(creator._id, person._id))
  const first = list.items[0]?._id ?? ''
  const form = useContractForm(libraryRoutes.unlockMedia, {
    initial: { mediaId: '', reason: '' },
    body: ({ mediaId, reason }) => ({
      customerId: person._id,
      mediaId: mediaId || first,
      ...(reason.trim() ? { reason } : {}),
    }),
    onSuccess: () => {
      toast.success(texts.unlocked(person.username))
      onDone()
    },
    lost: null,
  })
  return (
    <Fetched query={{ ...list, data: list.first && list.items }} failed={texts.loadFailed}>
      {(items) =>
        items.length === 0 ? (
          <p>{texts.noItems}</p>
        ) : (
          <ContractForm form={form}>
            <SelectField
              label={texts.item}
              choices={items.map(({ _id, title, price }) => ({
                value: _id,
                label: [title || texts.untitled, price].filter(Boolean).join('\u00a0· '),
              }))}
              value={form.values.mediaId || first}
              onChange={(mediaId) => form.set('mediaId', mediaId)}
            />
            <MoreFooter list={list} byButton label={texts.more} />
            <TextAreaField
              label={giftTexts.reason}
              description={giftTexts.reasonHint}
              minRows={2}
              {...form.field('reason')}
            />
            <FormError>{form.error}</FormError>
            <Button type="submit" loading={form.pending}>
              {texts.unlock}
            </Button>
          </ContractForm>
        )
      }
    </Fetched>
  )
}
