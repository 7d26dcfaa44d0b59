import { DEFAULT_PRICE } from '../../../../../contract/constants.ts'
import { flagsOf } from '../../edit/words.ts'
import { PriceField } from '../../parts/price/PriceField.tsx'
import { BulkForm, type BulkProps } from './BulkForm.tsx'
import styles from './BulkTags.module.css'

/** One price for all the items, and the offer to put on sale what isn't yet. */
export function BulkPrice({ items, ...told }: BulkProps) {
  const prices = new Set(items.map(({ price }) => price))
  const [common] = prices.size === 1 ? prices : [DEFAULT_PRICE]
  const sold = items.filter(({ showInStore }) => showInStore).length
  return (
    <BulkForm
      items={items}
      {...told}
      initial={{ price: common ?? DEFAULT_PRICE, sell: false }}
      changeOf={({ price, sell }) => ({ price, ...(sell ? flagsOf('single') : {}) })}
    >
      {(form) => (
        <>
          <PriceField
            label="Price"
            description={`What each costs when it is sold by itself. ${soldNow(sold, items.length)}`}
            required
            {...form.field('price')}
          />
          {sold < items.length && (
            <label className={styles.tag}>
              <input
                type="checkbox"
                className={styles.check}
                checked={form.values.sell}
                onChange={(event) => form.set('sell', event.currentTarget.checked)}
              />
              <span className={styles.name}>
                {items.length === 1 ? 'Put it on sale too' : 'Put all of them on sale too'}
              </span>
            </label>
          )}
        </>
      )}
    </BulkForm>
  )
}

function soldNow(sold: number, all: number): string {
  if (sold === 0) return all === 1 ? 'It is not in your store now.' : 'None of them is in your store now.'
  if (sold === all) return all === 1 ? 'It is in your store now.' : 'All of them are in your store now.'
  return `${sold} of ${all} are in your store now.`
}
