import { IconTrash } from '@tabler/icons-react'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { mediaErrors } from '../../../../contract/errors/media.ts'
import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import { libraryRoutes } from '../../../../contract/routes/media/library.ts'
import { useConfig } from '../../../lib/config.ts'
import { paths } from '../../../lib/paths.ts'
import { discardUnsaved, useUnsaved } from '../../../lib/unsaved.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { lazyPart, useLatch } from '../../../ui/lazy-part.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { TextLink } from '../../../ui/TextLink.tsx'
import type { Media } from '../api.ts'
import { PriceField } from '../parts/price/PriceField.tsx'
import { TagSelect } from '../tags/TagSelect.tsx'
import { useEditMedia } from './api.ts'
import styles from './EditMediaForm.module.css'
import { changeOf, draftAfter, draftErrors, draftOf, isChanged, offersSale } from './edit-form.ts'
import { Performers } from './Performers.tsx'
import { EditablePreview } from './Preview.tsx'
import { useReplacement } from './replacement.ts'
import { editTexts as texts } from './texts.ts'
import { VisibilityFields } from './VisibilityFields.tsx'
import { flagsOf } from './words.ts'

const EmbedAddress = lazyPart(() => import('../embed/EmbedAddress.tsx').then((module) => module.EmbedAddress))
const DeleteMediaDialog = lazyPart(() =>
  import('../manage/DeleteMediaDialog.tsx').then((module) => module.DeleteMediaDialog),
)
const UnlockForFan = lazyPart(() => import('./UnlockForFan.tsx').then((module) => module.UnlockForFan))

type EditMediaFormProps = {
  media: Media
  /** It is the acting person’s own; else the operator changes somebody’s. */
  own: boolean
  /** Its owner sells and shows. */
  sells: boolean
  /** The acting person may unlock it for somebody. */
  unlocks: boolean
}

/** Everything that can be changed of an item (docs/product.md, Pages, Media edit form). Nothing typed is lost when it fails. */
export function EditMediaForm({ media, own, sells, unlocks }: EditMediaFormProps) {
  const navigate = useNavigate()
  const config = useConfig()
  const edit = useEditMedia(media._id)
  const [firstPrice] = useState(media.price)
  const [deleting, setDeleting] = useState<readonly Media[] | null>(null)
  const askedBefore = useLatch(deleting !== null)
  const fields = { embed: media.redGif !== '', sells, own }
  const form = useContractForm(libraryRoutes.editMedia, {
    initial: { ...draftOf(media), reason: '' },
    body: (draft, kept) => ({
      ...changeOf(draft, kept, fields),
      ...(own ? {} : { reason: draft.reason }),
    }),
    check: (draft) => draftErrors(draft, fields),
    send: (change) => edit.mutateAsync(change),
    afterSaved: (fresh, sent, now) => {
      const kept = draftOf(fresh)
      return { saved: { ...kept, reason: '' }, values: { ...draftAfter(now, sent, kept), reason: '' } }
    },
    isSame: (one, other) => !isChanged(one, other),
    lost: texts.form.lost,
  })
  const draft = form.values
  const isFree = !draft.flags.mustUnlock && !draft.flags.directOnly
  const closed = config?.features.publishing === false
  const replacing = useReplacement(media._id, own ? undefined : draft.reason)
  useUnsaved(replacing.state.phase === 'sending' ? texts.form.replacing : null)
  return (
    <div className={styles.columns}>
      <div className={styles.side}>
        <EditablePreview
          media={fields.embed ? { ...media, redGif: redGifEmbedUrl(draft.redGif) || media.redGif } : media}
          replacing={replacing}
          own={own}
        />
      </div>
      <div className={styles.main}>
        <ContractForm form={form}>
          {!own && (
            <p className={styles.by}>
              {texts.form.belongsTo} <TextLink to={paths.profile(media.username)}>{media.username}</TextLink>.{' '}
              {texts.form.audit}
            </p>
          )}
          <TextField
            label={fields.embed ? texts.form.titleOptional : texts.form.title}
            required={!fields.embed}
            {...form.field('title')}
          />
          {fields.embed && <EmbedAddress {...form.field('redGif')} />}
          <TextAreaField label={texts.form.description} {...form.field('description')} />
          <TagSelect label={texts.form.tags} creatable={sells} {...form.field('tagIds')} />
          {sells && (
            <>
              <PriceField
                label={texts.form.price}
                unused={isFree}
                description={isFree ? texts.form.priceUnused : texts.form.priceHint}
                {...form.field('price')}
              />
              {!closed && offersSale(draft, firstPrice) && (
                <p className={styles.offer}>
                  {texts.form.notOnSale}
                  <Button size="sm" variant="default" onClick={() => form.set('flags', flagsOf('single'))}>
                    {texts.form.sell}
                  </Button>
                </p>
              )}
              <div className={styles.part}>
                <VisibilityFields value={draft.flags} onChange={(flags) => form.set('flags', flags)} />
                {closed && <p className={styles.closed}>{mediaErrors.publishing_closed.text}</p>}
              </div>
            </>
          )}
          {sells && own && (
            <div className={styles.part}>
              <Performers
                value={draft.performerIds}
                onChange={(turn) => form.set('performerIds', turn)}
                error={form.errorAt('performerIds')}
              />
            </div>
          )}
          {!own && (
            <TextField
              label={texts.form.reason}
              description={texts.form.reasonHint}
              required
              {...form.field('reason')}
            />
          )}
          <div className={styles.bar}>
            <FormError>{form.error}</FormError>
            <div className={styles.actions}>
              <Button type="submit" loading={form.pending}>
                {texts.form.save}
              </Button>
              <p className={styles.saved} role="status">
                {form.answer ? (
                  texts.form.saved
                ) : (
                  <span className={styles.unsaved}>{form.dirty && texts.form.unsaved}</span>
                )}
              </p>
              <Button
                variant="subtle"
                color="red"
                leftSection={<IconTrash size={18} stroke={1.75} aria-hidden />}
                onClick={() => setDeleting([media])}
              >
                {texts.form.delete}
              </Button>
            </div>
          </div>
        </ContractForm>
        {unlocks && <UnlockForFan mediaId={media._id} />}
      </div>
      {askedBefore && (
        <DeleteMediaDialog
          items={deleting}
          onClose={() => setDeleting(null)}
          onDeleted={() => {
            discardUnsaved()
            void navigate(own ? paths.manageMedia : paths.profile(media.username), { replace: true })
          }}
        />
      )}
    </div>
  )
}
