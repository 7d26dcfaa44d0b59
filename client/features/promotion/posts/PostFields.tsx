import { IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { MAX_POST_TITLES } from '../../../../contract/promotion.ts'
import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { ChoiceField } from '../../../ui/fields/ChoiceField.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import type { ContractFormState } from '../../../ui/forms/ContractForm.tsx'
import { lazyPart } from '../../../ui/lazy-part.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { ToolButton } from '../parts/ToolButton.tsx'
import { NsfwField } from '../schedule/NsfwField.tsx'
import { ItemChoice } from './ItemChoice.tsx'
import styles from './posts.module.css'
import { postTexts as texts } from './texts.ts'

// By itself, so that public pages don’t load it with the other parts of commerce.
const OfferField = lazyPart(async () => (await import('../../commerce/parts/OfferField.tsx')).OfferField)

export type PostValues = {
  source: 'link' | 'item'
  link: string
  mediaId: string
  titles: string[]
  /** How titles are used that nobody chose. */
  unchosen: 'first' | 'inTurn'
  comment: string
  nsfw: boolean
  /** Empty for none. */
  offerId: string
}

/** The part of the form that is sent: the link or the item, whichever is chosen. */
export function sentOf({ source, link, mediaId, titles, comment, nsfw, offerId }: PostValues) {
  return { titles, comment, nsfw, offerId: offerId || null, ...(source === 'link' ? { link } : { mediaId }) }
}

/** Checks that the contract can’t make. */
export const checkOf = ({ source, link, mediaId }: PostValues): Record<string, string> => {
  if (source === 'item') return mediaId === '' ? { mediaId: texts.itemMissing } : {}
  return redGifEmbedUrl(link) === '' ? { link: texts.linkInvalid } : {}
}

type PostFieldsProps = {
  form: ContractFormState<PostValues>
  /** A post of an item stays one. */
  isKnown?: boolean
  isEdited?: boolean
}

/** Link or item, titles, comment and mark of a post, new or known. */
export function PostFields({ form, isKnown = false, isEdited = false }: PostFieldsProps) {
  const { source, mediaId, titles, unchosen } = form.values
  const change = (next: (before: string[]) => string[]) => form.set('titles', next)
  return (
    <>
      {!isKnown && (
        <ChoiceField
          label={texts.source}
          choices={(['link', 'item'] as const).map((value) => ({ value, label: texts.sources[value] }))}
          value={source}
          onChange={(value) => form.set('source', value)}
        />
      )}
      {source === 'item' && !isKnown && (
        <ItemChoice
          value={mediaId}
          onChange={(value) => form.set('mediaId', value)}
          error={form.errorAt('mediaId')}
        />
      )}
      {source === 'link' && <LinkField form={form} />}
      <fieldset className={styles.titles}>
        <legend>{texts.titles}</legend>
        <p className={styles.quiet}>{texts.titlesHint}</p>
        {titles.map((title, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a title is nothing but its place.
          <div key={index} className={styles.title}>
            <div className={styles.words}>
              <TextField
                label={texts.titleOf(index + 1)}
                required
                autoComplete="off"
                value={title}
                error={form.errorAt(`titles.${index}`)}
                onChange={(text) => change((before) => before.map((one, at) => (at === index ? text : one)))}
              />
            </div>
            {index > 0 && (
              <ToolButton
                label={texts.titleUp(index + 1)}
                Icon={IconArrowUp}
                onClick={() => change((before) => movedUp(before, index))}
              />
            )}
            {titles.length > 1 && (
              <ToolButton
                label={texts.removeTitle(index + 1)}
                Icon={IconX}
                onClick={() => change((before) => before.filter((_, at) => at !== index))}
              />
            )}
          </div>
        ))}
        {titles.length < MAX_POST_TITLES && (
          <div>
            <Button
              variant="default"
              size="sm"
              leftSection={<IconPlus size={16} aria-hidden />}
              onClick={() => change((before) => [...before, ''])}
            >
              {texts.addTitle}
            </Button>
          </div>
        )}
      </fieldset>
      {isEdited && titles.length > 1 && (
        <ChoiceField
          label={texts.unchosen}
          choices={(['first', 'inTurn'] as const).map((value) => ({
            value,
            label: texts.unchosenTitles[value],
          }))}
          value={unchosen}
          onChange={(value) => form.set('unchosen', value)}
        />
      )}
      <TextAreaField label={texts.comment} description={texts.commentHint} {...form.field('comment')} />
      <NsfwField value={form.values.nsfw} onChange={(value) => form.set('nsfw', value)} />
      <OfferField
        label={texts.offer}
        description={texts.offerHint}
        value={form.values.offerId}
        error={form.errorAt('offerId')}
        onChange={(value) => form.set('offerId', value)}
      />
    </>
  )
}

function LinkField({ form }: { form: ContractFormState<PostValues> }) {
  const { link } = form.values
  const embed = redGifEmbedUrl(link)
  return (
    <div>
      <TextField
        label={texts.link}
        description={texts.linkHint}
        required
        autoComplete="off"
        inputMode="url"
        {...form.field('link')}
      />
      <p className={styles.derived} aria-live="polite">
        {embed ? `${texts.address} ${embed}` : link.trim() !== '' && !form.errorAt('link') && texts.notFound}
      </p>
    </div>
  )
}

function movedUp(titles: readonly string[], index: number): string[] {
  const moved = [...titles]
  const [title = ''] = moved.splice(index, 1)
  moved.splice(index - 1, 0, title)
  return moved
}
