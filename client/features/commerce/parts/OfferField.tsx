import { errorMessage } from '../../../lib/api.ts'
import { FormError } from '../../../ui/FormError.tsx'
import { SelectField } from '../../../ui/fields/SelectField.tsx'
import { useAllPages, useList } from '../../../ui/list/use-list.ts'
import { ownOffersQuery } from '../offers/api.ts'
import { headlineOf } from '../offers/describe.ts'
import { insertTexts as texts } from '../offers/texts.ts'

type OfferFieldProps = {
  label: string
  description: string
  /** The offer’s id; empty for none. */
  value: string
  error: string | undefined
  onChange: (value: string) => void
}

/** A choice of the creator’s offers that are open to everyone; not there while they have none. */
export function OfferField({ value, error, ...field }: OfferFieldProps) {
  const list = useList(ownOffersQuery)
  useAllPages(list, true)
  const open = list.items.filter(({ status, availableToAll }) => status === 'active' && availableToAll)
  if (list.error && !list.first)
    return <FormError>{`${texts.failed}. ${errorMessage(list.error)}`}</FormError>
  if (value === '' && open.length === 0) return null
  return (
    <SelectField
      {...field}
      value={value}
      error={error}
      choices={[
        { value: '', label: texts.noOffer },
        ...open.map((offer) => ({ value: offer._id, label: headlineOf(offer) })),
        ...(value === '' || open.some(({ _id }) => _id === value) ? [] : [{ value, label: texts.ended }]),
      ]}
    />
  )
}
