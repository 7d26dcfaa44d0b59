import { DEFAULT_PRICE } from '../../../../../contract/constants.ts'
import { flagsOf } from '../../edit/words.ts'
import { PriceField } from '../../parts/price/PriceField.tsx'
import { texts } from '../texts.ts'
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
            label={texts.bulkPrice.label}
            description={texts.bulkPrice.hint(sold, items.length)}
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
              <span className={styles.name}>{texts.bulkPrice.sell(items.length)}</span>
            </label>
          )}
        </>
      )}
    </BulkForm>
  )
}
