import { type UseQueryResult, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { DEFAULT_PRICE } from '../../../../../contract/constants.ts'
import { offerRoutes } from '../../../../../contract/routes/commerce/offers.ts'
import { useKeyed } from '../../../../lib/idempotency-key.ts'
import { serverNow } from '../../../../lib/server-clock.ts'
import { useCurrentUser } from '../../../../lib/session.tsx'
import { Button } from '../../../../ui/core/Button.tsx'
import { Fetched } from '../../../../ui/Fetched.tsx'
import { FieldGroup } from '../../../../ui/FieldGroup.tsx'
import { FormError } from '../../../../ui/FormError.tsx'
import { ChoiceField } from '../../../../ui/fields/ChoiceField.tsx'
import { TextField } from '../../../../ui/fields/Field.tsx'
import { SelectField } from '../../../../ui/fields/SelectField.tsx'
import { TextInput } from '../../../../ui/fields/TextInput.tsx'
import { dayOf } from '../../../../ui/format.ts'
import { ContractForm, type ContractFormState, useContractForm } from '../../../../ui/forms/ContractForm.tsx'
import { pathById } from '../../../../ui/forms/form-errors.ts'
import { SkeletonLines } from '../../../../ui/Skeleton.tsx'
import { toast } from '../../../../ui/toast.ts'
import { purchasableMediaQuery } from '../../../media/api.ts'
import { PriceField } from '../../../media/parts/price/PriceField.tsx'
import { bundlesQuery, keys, subscriptionsQuery } from '../../api.ts'
import { bundleTexts, subscriptionTexts } from '../../parts/texts.ts'
import { createOffer } from '../api.ts'
import type { Kind } from '../describe.ts'
import { formTexts as texts } from '../texts.ts'
import styles from './OfferForm.module.css'
import { PeoplePicker } from './PeoplePicker.tsx'
import { SinglesPicker } from './SinglesPicker.tsx'
import { type OfferValues, offerOf, wrongNumbers } from './values.ts'

const INITIAL: OfferValues = {
  kind: 'Trial',
  cost: 'free',
  subscription: '',
  subscriptionDays: '7',
  bundle: '',
  media: [],
  price: DEFAULT_PRICE,
  availableTo: [],
  redemptionsAllowed: '0',
  expiresAt: '',
}

const KINDS = (Object.keys(texts.kinds) as Kind[]).map((value) => ({ value, label: texts.kinds[value] }))
const COSTS = (['free', 'discount'] as const).map((value) => ({ value, label: texts.costs[value] }))

/** Makes an offer: shows only what belongs to its type. */
export function OfferForm({ onCreated }: { onCreated: () => void }) {
  const { _id } = useCurrentUser()
  const create = useKeyed(createOffer)
  const form: ContractFormState<OfferValues> = useContractForm(offerRoutes.createOffer, {
    initial: INITIAL,
    // What there is one of needs no choice.
    body: (values) =>
      offerOf({
        ...values,
        subscription: values.subscription || onlyOf(onSale(subscriptions.data)),
        bundle: values.bundle || onlyOf(onSale(bundles.data).filter(isFilled)),
      }),
    check: wrongNumbers,
    pathOf: (path, { media }) => pathById(path, 'media', media),
    send: create,
    onSuccess: () => {
      toast.success(texts.created)
      onCreated()
    },
    meta: {
      invalidates: [keys.offers],
      // Refused, as where another tab stopped selling what was chosen.
      onFailure: [purchasableMediaQuery(_id).queryKey, keys.subscriptions, keys.bundles],
    },
    lost: texts.lost,
  })
  const { kind, cost, expiresAt } = form.values
  const subscriptions = useQuery({ ...subscriptionsQuery(_id), enabled: kind === 'Trial' })
  const bundles = useQuery({ ...bundlesQuery(_id), enabled: kind === 'Bundle' })
  return (
    <ContractForm form={form}>
      <FormError>{form.error}</FormError>
      <ChoiceField label={texts.what} choices={KINDS} {...form.field('kind')} />
      <ChoiceField label={texts.cost} choices={COSTS} {...form.field('cost')} />
      {kind === 'Trial' && (
        <>
          <Sold what="subscription" query={subscriptions} {...form.field('subscription')} />
          <TextField
            label={texts.days}
            description={texts.daysHint}
            inputMode="numeric"
            {...form.field('subscriptionDays')}
          />
        </>
      )}
      {kind === 'Bundle' && <Sold what="bundle" query={bundles} {...form.field('bundle')} />}
      {kind === 'Singles' && (
        <SinglesPicker
          {...form.field('media')}
          gone={form.values.media.filter((id) => form.errorAt(`media.${id}`))}
        />
      )}
      {cost === 'discount' && <PriceField label={texts.price} required {...form.field('price')} />}
      <PeoplePicker {...form.field('availableTo')} />
      <div className={styles.limits}>
        <TextField
          label={texts.limit}
          description={texts.limitHint}
          inputMode="numeric"
          {...form.field('redemptionsAllowed')}
        />
        <TextInput
          type="date"
          label={texts.expires}
          description={texts.expiresHint}
          min={dayOf(serverNow())}
          value={expiresAt}
          onChange={(event) => form.set('expiresAt', event.currentTarget.value)}
          error={form.errorAt('expiresAt')}
        />
      </div>
      <Button type="submit" loading={form.pending}>
        {texts.submit}
      </Button>
    </ContractForm>
  )
}

type Held = { photoCount: number; videoCount: number }
type Sellable = { _id: string; title: string; price: string; retired: boolean } & Held

const onSale = (all: readonly Sellable[] = []) => all.filter(({ retired }) => !retired)
/** Nobody is offered an empty bundle; a subscription may be filled later. */
const isFilled = ({ photoCount, videoCount }: Held) => photoCount + videoCount > 0

/** The id of the only one; empty if there are several, or none. */
function onlyOf(sold: readonly Sellable[]): string {
  const [only, ...others] = sold
  return only && others.length === 0 ? only._id : ''
}

type SoldProps = {
  what: 'subscription' | 'bundle'
  query: UseQueryResult<Sellable[]>
  value: string
  onChange: (id: string) => void
  error: string | undefined
}

/** One of the creator's subscriptions or bundles; the only one is chosen already. */
function Sold({ what, query, value, onChange, error }: SoldProps) {
  const inGroup = (inside: ReactNode) => (
    <FieldGroup legend={texts[what]} error={error}>
      {inside}
    </FieldGroup>
  )
  return (
    <Fetched
      query={query}
      waiting={inGroup(<SkeletonLines lines={1} />)}
      failed={(what === 'subscription' ? subscriptionTexts : bundleTexts).loadFailed}
      around={inGroup}
    >
      {(all) => {
        const shown = onSale(all)
        const sold = what === 'bundle' ? shown.filter(isFilled) : shown
        const none = shown.length === 0 ? texts.noneSold[what] : texts.allEmpty
        if (sold.length === 0) return inGroup(<p className={styles.hint}>{none}</p>)
        return (
          <SelectField
            label={texts[what]}
            value={value || onlyOf(sold)}
            onChange={onChange}
            error={error}
            choices={[
              ...(sold.length > 1 ? [{ value: '', label: texts.choose }] : []),
              ...sold.map(({ _id: id, title, price }) => ({ value: id, label: texts.priced(title, price) })),
            ]}
          />
        )
      }}
    </Fetched>
  )
}
