import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { DEFAULT_PRICE } from '../../../../contract/constants.ts'
import { bundleRoutes } from '../../../../contract/routes/commerce/bundles.ts'
import { subscriptionRoutes } from '../../../../contract/routes/commerce/subscriptions.ts'
import { errorMessage } from '../../../lib/api.ts'
import { useKeyed } from '../../../lib/idempotency-key.ts'
import { useCurrentUser } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { formatContents } from '../../../ui/format.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { errorsAtFields, generalError } from '../../../ui/forms/form-errors.ts'
import { SkeletonLines } from '../../../ui/Skeleton.tsx'
import { toast } from '../../../ui/toast.ts'
import { PriceField } from '../../media/parts/price/PriceField.tsx'
import { type Bundle, bundlesQuery, type Subscription, subscriptionsQuery } from '../api.ts'
import styles from './AddTo.module.css'
import { useCreateBundle, useCreateSubscription, useEditHeld } from './api.ts'
import { type Kind, addTexts as texts } from './texts.ts'

type Item = { _id: string; directOnly: boolean; takenDownAt?: string | undefined }

type AddToProps = {
  kind: Kind
  items: readonly Item[]
  /** Takes what was done, in a few words. */
  onDone: (told: string) => void
  /** Goes back to the library, where others can be selected. */
  onClose: () => void
}

type Sold = Subscription | Bundle

const NEW = 'new'

/** Puts items of the library into a subscription or a bundle, an old one or a new one; it can be undone from a message. */
export function AddTo({ kind, items, onDone, onClose }: AddToProps) {
  const { _id: me } = useCurrentUser()
  const subscriptions = useQuery({ ...subscriptionsQuery(me), enabled: kind === 'subscription' })
  const bundles = useQuery({ ...bundlesQuery(me), enabled: kind === 'bundle' })
  const asked = kind === 'subscription' ? subscriptions : bundles
  // A product that was just created counts at once, even while the list of all is read again.
  const [created, setCreated] = useState<Sold | null>(null)
  const sold: Sold[] = [...(asked.data ?? [])]
  if (created && !sold.some(({ _id }) => _id === created._id)) sold.push(created)
  const edit = useEditHeld(kind)
  const [chosen, setChosen] = useState<string | null>(null)
  const target = chosen ?? (sold.length === 0 ? NEW : null)
  // Private items and those that were taken down can't be sold.
  const [gone, setGone] = useState<readonly string[]>([])
  const sellable = items.filter(
    ({ _id, directOnly, takenDownAt }) => !directOnly && !takenDownAt && !gone.includes(_id),
  )
  const left = items.length - sellable.length

  const add = async (id: string, title: string) => {
    const addMediaIds = sellable.map(({ _id }) => _id)
    const { addedMediaIds } = await edit.mutateAsync({ id, addMediaIds }).catch((error: unknown) => {
      const wrong = errorsAtFields(error, ['mediaIds'])
      // Left out, so that the others can be added.
      setGone((before) => [...before, ...addMediaIds.filter((_id, place) => wrong[`mediaIds.${place}`])])
      throw error
    })
    const told = texts.added({
      added: addedMediaIds.length,
      already: sellable.length - addedMediaIds.length,
      left,
      title,
    })
    if (addedMediaIds.length > 0) {
      const undo = () =>
        edit.mutateAsync({ id, removeMediaIds: addedMediaIds }).then(
          () => toast.success(texts.removed(addedMediaIds.length, title)),
          (error: unknown) => toast.failure(texts.undoFailed(errorMessage(error))),
        )
      toast.offer(told, { label: texts.undo, onAct: () => void undo() })
    }
    onDone(told)
  }
  // Once it is created nothing but the adding is left, which can be tried again.
  const goOn = (made: Sold) => {
    setCreated(made)
    setChosen(made._id)
    add(made._id, made.title).catch(() => {})
  }
  if (asked.isPending) return <SkeletonLines lines={3} />
  if (asked.isError && !asked.data) return <FormError>{errorMessage(asked.error)}</FormError>
  if (sellable.length === 0)
    return (
      <div className={styles.add}>
        <p role="alert" className={styles.left}>
          {texts.leftOut(left)}
        </p>
        <Button onClick={onClose}>{texts.chooseOthers}</Button>
      </div>
    )
  const one = sold.find(({ _id }) => _id === target)
  return (
    <div className={styles.add}>
      {sold.length > 0 && (
        <ChoiceField
          label={texts.addTo[kind]}
          choices={[
            ...sold.map((each) => ({
              value: each._id,
              label: each.title,
              description: texts.holds(kind, each.price, formatContents(each)),
            })),
            { value: NEW, label: texts.newOne[kind] },
          ]}
          value={target}
          onChange={setChosen}
        />
      )}
      {left > 0 && <p className={styles.left}>{texts.leftOut(left)}</p>}
      {target === NEW ? (
        <NewOne kind={kind} count={sellable.length} onCreated={goOn} />
      ) : (
        <>
          <FormError>{generalError(edit.error, [])}</FormError>
          <Button
            disabled={!one}
            loading={edit.isPending}
            onClick={() => void (one && add(one._id, one.title).catch(() => {}))}
          >
            {texts.add(sellable.length)}
          </Button>
        </>
      )}
    </div>
  )
}

type NewOneProps = { kind: Kind; count: number; onCreated: (made: Sold) => void }

/** Title and price of a new one. */
function NewOne({ kind, count, onCreated }: NewOneProps) {
  const createSubscription = useCreateSubscription()
  const createBundle = useCreateBundle()
  // The selected items are the ones to add.
  const createOnce = useKeyed(
    (values: { title: string; price: string; key: string }): Promise<Sold> =>
      kind === 'subscription'
        ? createSubscription.mutateAsync({ ...values, includes: 'chosen' })
        : createBundle.mutateAsync(values),
  )
  const form = useContractForm(
    kind === 'subscription' ? subscriptionRoutes.createSubscription : bundleRoutes.createBundle,
    {
      initial: { title: '', price: DEFAULT_PRICE as string },
      send: (_body, values) => createOnce(values),
      onSuccess: onCreated,
      lost: null,
    },
  )
  return (
    <ContractForm form={form}>
      <TextField label={texts.title} required {...form.field('title')} />
      <PriceField
        label={texts.price[kind]}
        {...(kind === 'subscription' ? { per: 'month' as const } : {})}
        required
        {...form.field('price')}
      />
      <FormError>{form.error}</FormError>
      <Button type="submit" loading={form.pending}>
        {texts.createAndAdd(count)}
      </Button>
    </ContractForm>
  )
}
