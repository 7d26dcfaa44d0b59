import { ActionIcon } from '@mantine/core'
import { IconPlus, IconTrash } from '@tabler/icons-react'
import { MAX_PROFILE_LINKS } from '../../../../contract/constants.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import styles from './editing.module.css'
import { completeAddress, type LinkRow } from './profile-form.ts'
import { editingTexts as texts } from './texts.ts'

type LinksEditorProps = {
  links: LinkRow[]
  /** The error at `links.2.text`, or at all of them. */
  errorAt: (path: string) => string | undefined
  onChange: (links: LinkRow[]) => void
}

/** The links of the profile, each with its text and its address. */
export function LinksEditor({ links, errorAt, onChange }: LinksEditorProps) {
  const change = (key: string, changes: Partial<LinkRow>) =>
    onChange(links.map((row) => (row.key === key ? { ...row, ...changes } : row)))
  return (
    <fieldset className={styles.links}>
      <legend className={styles.legend}>{texts.links}</legend>
      {links.map(({ key, text, link }, index) => (
        <div key={key} className={styles.link}>
          <TextField
            label={texts.linkText(index + 1)}
            value={text}
            onChange={(typed) => change(key, { text: typed })}
            error={errorAt(`links.${index}.text`)}
          />
          <TextField
            label={texts.linkUrl(index + 1)}
            inputMode="url"
            value={link}
            onChange={(typed) => change(key, { link: typed })}
            error={errorAt(`links.${index}.link`)}
            onBlur={() => change(key, { link: completeAddress(link) })}
          />
          <ActionIcon
            variant="subtle"
            color="gray"
            size="lg"
            aria-label={texts.removeLink(index + 1)}
            onClick={() => onChange(links.filter((row) => row.key !== key))}
          >
            <IconTrash size={20} stroke={1.5} />
          </ActionIcon>
        </div>
      ))}
      <FormError>{errorAt('links')}</FormError>
      {links.length < MAX_PROFILE_LINKS && (
        <Button
          variant="default"
          size="sm"
          className={styles.addLink ?? ''}
          leftSection={<IconPlus size={18} stroke={1.75} aria-hidden />}
          onClick={() => onChange([...links, { key: crypto.randomUUID(), text: '', link: '' }])}
        >
          {texts.addLink}
        </Button>
      )}
    </fieldset>
  )
}
