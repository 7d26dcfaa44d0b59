import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import { TextField } from '../../../ui/Field.tsx'
import styles from './EmbedAddress.module.css'

type EmbedAddressProps = { value: string; onChange: (text: string) => void; error?: string | undefined }

/** A RedGifs link or id, and below it the address that it stands for (docs/product.md, Texts). */
export function EmbedAddress({ value, onChange, error }: EmbedAddressProps) {
  const derived = redGifEmbedUrl(value)
  return (
    <div className={styles.field}>
      <TextField
        label="RedGifs link"
        description="The address of the gif’s page, or its id."
        value={value}
        onChange={onChange}
        error={error}
        required
        autoComplete="off"
        inputMode="url"
      />
      <p className={styles.derived} aria-live="polite">
        {derived ? (
          <>
            Embed address: <span className={styles.address}>{derived}</span>
          </>
        ) : (
          value.trim() !== '' && !error && 'No gif is found in this yet.'
        )}
      </p>
    </div>
  )
}
