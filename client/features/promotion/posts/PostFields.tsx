import { IconArrowUp, IconPlus, IconX } from '@tabler/icons-react'
import { MAX_POST_TITLES } from '../../../../contract/promotion.ts'
import { redGifEmbedUrl } from '../../../../contract/redgif.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import type { ContractFormState } from '../../../ui/forms/ContractForm.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import styles from './posts.module.css'
import { postTexts as texts } from './texts.ts'

export type PostValues = { link: string; titles: string[]; comment: string }

/** Link, titles and comment of a post, new or known. */
export function PostFields({ form }: { form: ContractFormState<PostValues> }) {
  const { link, titles } = form.values
  const embed = redGifEmbedUrl(link)
  const change = (next: (before: string[]) => string[]) => form.set('titles', next)
  return (
    <>
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
          {embed ? `${texts.address} ${embed}` : link.trim() !== '' && texts.notFound}
        </p>
      </div>
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
              <button
                type="button"
                className={styles.tool}
                aria-label={texts.titleUp(index + 1)}
                onClick={() => change((before) => movedUp(before, index))}
              >
                <IconArrowUp size={18} stroke={1.75} aria-hidden />
              </button>
            )}
            {titles.length > 1 && (
              <button
                type="button"
                className={styles.tool}
                aria-label={texts.removeTitle(index + 1)}
                onClick={() => change((before) => before.filter((_, at) => at !== index))}
              >
                <IconX size={18} stroke={1.75} aria-hidden />
              </button>
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
      <TextAreaField label={texts.comment} description={texts.commentHint} {...form.field('comment')} />
    </>
  )
}

function movedUp(titles: readonly string[], index: number): string[] {
  const moved = [...titles]
  const [title = ''] = moved.splice(index, 1)
  moved.splice(index - 1, 0, title)
  return moved
}
