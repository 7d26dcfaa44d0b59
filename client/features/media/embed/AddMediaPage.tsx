import { useDebouncedValue } from '@mantine/hooks'
import { IconPlus } from '@tabler/icons-react'
import { useState } from 'react'
import { mediaErrors } from '../../../../contract/errors/media.ts'
import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import { libraryRoutes } from '../../../../contract/routes/media/library.ts'
import { paths } from '../../../lib/paths.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import { useAddRedGif } from '../edit/api.ts'
import { DurationField } from '../edit/DurationField.tsx'
import { TagSelect } from '../tags/TagSelect.tsx'
import styles from './AddMediaPage.module.css'
import { EmbedAddress } from './EmbedAddress.tsx'
import { EmbedFrame } from './EmbedFrame.tsx'
import { embedTexts } from './texts.ts'

/** How long the typing rests before the gif is shown, so that half an id is not asked for at RedGifs. */
const SHOW_AFTER_MS = 600

/** Adds an external gif by its link or id (docs/product.md, Pages, Add external gif media). */
export function Component() {
  const [round, setRound] = useState(0)
  return (
    <Page
      title={embedTexts.title}
      lead={embedTexts.lead}
      back={<BackLink to={paths.manageMedia}>{embedTexts.manage}</BackLink>}
    >
      <AddEmbed key={round} onAnother={() => setRound(round + 1)} />
    </Page>
  )
}

function AddEmbed({ onAnother }: { onAnother: () => void }) {
  const add = useAddRedGif()
  const form = useContractForm(libraryRoutes.addRedGif, {
    initial: { redGif: '', duration: null as number | null, tagIds: [] as string[] },
    check: ({ redGif }) =>
      redGifEmbedUrl(redGif) === '' ? { redGif: mediaErrors.red_gif_unreadable.text } : {},
    send: (gif) => add.mutateAsync(gif),
    lost: embedTexts.lost,
  })
  const embed = redGifEmbedUrl(form.values.redGif)
  const [settled] = useDebouncedValue(embed, SHOW_AFTER_MS)
  return (
    <div className={styles.columns}>
      <div className={styles.frame}>
        {embed !== '' && embed === settled ? (
          <EmbedFrame
            media={{ redGif: embed, title: embedTexts.yours, preview: '', width: 0, height: 0 }}
            open
          />
        ) : (
          <p className={styles.waiting}>{embedTexts.waiting}</p>
        )}
      </div>
      {form.answer ? (
        <div className={styles.added}>
          <p className={styles.done} role="status">
            {embedTexts.added}
          </p>
          <p className={styles.quiet}>{embedTexts.addedHint}</p>
          <div className={styles.actions}>
            <LinkButton to={paths.editMedia(form.answer._id)}>{embedTexts.edit}</LinkButton>
            <Button
              variant="default"
              leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
              onClick={onAnother}
            >
              {embedTexts.another}
            </Button>
          </div>
        </div>
      ) : (
        <ContractForm form={form}>
          <EmbedAddress {...form.field('redGif')} />
          <DurationField
            label={embedTexts.duration}
            description={embedTexts.durationHint}
            value={form.values.duration}
            onChange={(seconds) => form.set('duration', seconds)}
            error={form.errorAt('duration')}
          />
          <TagSelect label={embedTexts.tags} creatable {...form.field('tagIds')} />
          <FormError>{form.error}</FormError>
          <div className={styles.actions}>
            <Button type="submit" loading={form.pending}>
              {embedTexts.add}
            </Button>
            <p className={styles.quiet} role="status">
              {form.pending && embedTexts.adding}
            </p>
          </div>
        </ContractForm>
      )}
    </div>
  )
}
