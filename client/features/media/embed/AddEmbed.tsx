import '@mantine/core/styles/NumberInput.css'
import { Button, NumberInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { MAX_VIDEO_SECONDS } from '../../../../contract/constants.ts'
import { errors } from '../../../../contract/errors.ts'
import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import { ApiError, errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { Form } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { useAddRedGif } from '../edit/api.ts'
import { TagSelect } from '../tags/TagSelect.tsx'
import styles from './AddEmbed.module.css'
import { EmbedAddress } from './EmbedAddress.tsx'
import { EmbedFrame } from './EmbedFrame.tsx'

/** How long the typing rests before the gif is shown, so that half an id is not asked for at RedGifs. */
const SHOW_AFTER_MS = 600

/** Adds an external gif by its link or id (docs/product.md, Pages, Add external gif media). */
export function AddEmbed({ onAnother }: { onAnother: () => void }) {
  const add = useAddRedGif()
  const [redGif, setRedGif] = useState('')
  const [duration, setDuration] = useState<number | null>(null)
  const [tagIds, setTagIds] = useState<string[]>([])
  const [checked, setChecked] = useState(false)
  const embed = redGifEmbedUrl(redGif)
  const [settled] = useDebouncedValue(embed, SHOW_AFTER_MS)
  const refused = add.error instanceof ApiError ? add.error.details : {}
  const unreadable = checked && embed === '' ? errors.red_gif_unreadable.text : undefined

  const submit = () => {
    setChecked(true)
    if (embed !== '') add.mutate({ redGif, tagIds, ...(duration === null ? {} : { duration }) })
  }
  return (
    <div className={styles.columns}>
      <div className={styles.frame}>
        {embed !== '' && embed === settled ? (
          <EmbedFrame media={{ redGif: embed, title: 'Your gif', preview: '', width: 0, height: 0 }} open />
        ) : (
          <p className={styles.waiting}>The gif is shown here.</p>
        )}
      </div>
      {add.isSuccess ? (
        <div className={styles.added}>
          <p className={styles.done} role="status">
            Media Updated!
          </p>
          <p className={styles.quiet}>It is in your library, and nobody sees it before you say so.</p>
          <div className={styles.actions}>
            <LinkButton to={paths.editMedia(add.data._id)}>Edit it</LinkButton>
            <Button
              variant="default"
              leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
              onClick={onAnother}
            >
              Add another
            </Button>
          </div>
        </div>
      ) : (
        <Form onSubmit={submit}>
          <EmbedAddress
            value={redGif}
            onChange={(text) => {
              setRedGif(text)
              add.reset()
            }}
            error={unreadable ?? refused.redGif}
          />
          <NumberInput
            label="Duration (optional)"
            description="In seconds, if you know it."
            value={duration ?? ''}
            onChange={(seconds) => setDuration(typeof seconds === 'number' ? seconds : null)}
            min={0}
            max={MAX_VIDEO_SECONDS}
            clampBehavior="strict"
            allowNegative={false}
            decimalScale={2}
            suffix=" s"
            hideControls
            inputMode="decimal"
            error={refused.duration ?? null}
          />
          <TagSelect label="Tags" value={tagIds} onChange={setTagIds} error={refused.tagIds} creatable />
          <FormError>{add.isError ? errorMessage(add.error) : null}</FormError>
          <div className={styles.actions}>
            <Button type="submit" loading={add.isPending}>
              Add Media
            </Button>
            <p className={styles.quiet} role="status">
              {add.isPending && 'Processing!'}
            </p>
          </div>
        </Form>
      )}
    </div>
  )
}
