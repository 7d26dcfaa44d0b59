import { DEFAULT_PRICE } from '../../../../../contract/constants.ts'
import { MoneyInput } from '../../../../ui/MoneyInput.tsx'
import { BulkForm, type BulkProps } from './BulkForm.tsx'

/** One price for all the items. */
export function BulkPrice({ items, onDone }: BulkProps) {
  const prices = new Set(items.map(({ price }) => price))
  const [common] = prices.size === 1 ? prices : [DEFAULT_PRICE]
  const sold = items.filter(({ showInStore }) => showInStore).length
  return (
    <BulkForm
      items={items}
      onDone={onDone}
      initial={{ price: common ?? DEFAULT_PRICE }}
      changeOf={({ price }) => ({ price })}
    >
      {(form) => (
        <MoneyInput
          label="Price"
          description={`What each costs when it is sold by itself. ${soldNow(sold, items.length)}`}
          required
          {...form.field('price')}
        />
      )}
    </BulkForm>
  )
}

function soldNow(sold: number, all: number): string {
  if (sold === 0) return all === 1 ? 'It is not in your store now.' : 'None of them is in your store now.'
  if (sold === all) return all === 1 ? 'It is in your store now.' : 'All of them are in your store now.'
  return `${sold} of ${all} are in your store now.`
}
