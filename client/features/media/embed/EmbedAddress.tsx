import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import { TextField } from '../../../ui/fields/Field.tsx'
import styles from './EmbedAddress.module.css'
import { embedTexts } from './texts.ts'

type EmbedAddressProps = { value: string; onChange: (text: string) => void; error?: string | undefined }

/** A RedGifs link or id, and below it the address that it stands for (docs/product.md, Texts). */
export function EmbedAddress({ value, onChange, error }: EmbedAddressProps) {
  const derived = redGifEmbedUrl(value)
  return (
    <div className={styles.field}>
      <TextField
        label={embedTexts.link}
        description={embedTexts.linkHint}
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
            {embedTexts.address} <span className={styles.address}>{derived}</span>
          </>
        ) : (
          value.trim() !== '' && !error && embedTexts.notFound
        )}
      </p>
    </div>
  )
}
