import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { useState } from 'react'
import type { Route } from '../../../../contract/route.ts'
import { paths } from '../../../lib/paths.ts'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FieldPair } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { formatContents, formatNumber } from '../../../ui/format.ts'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Page } from '../../../ui/Page.tsx'
import type { Turned } from '../../../ui/selection.ts'
import { toast } from '../../../ui/toast.ts'
import type { Media } from '../../media/api.ts'
import { PriceField } from '../../media/parts/price/PriceField.tsx'
import styles from './Editor.module.css'
import { type Held, withItems } from './held.ts'
import { MediaPicker } from './MediaPicker.tsx'
import { editTexts } from './texts.ts'

export type Edited = { title: string; price: string; chatEnabled: boolean; mediaIds: string[] }

type EditorProps = {
  kind: 'subscription' | 'bundle'
  /** The call that saves it, which knows what title and price must be. */
  route: Route
  creatorId: string
  initial: Edited
  /** What it holds before anything is changed. */
  contents: Held
  savedText: string
  onSave: (values: Edited) => Promise<unknown>
}

/** Title, price and media of something that is sold. What was typed stays when saving fails. */
export function Editor({ kind, route, creatorId, initial, contents, savedText, onSave }: EditorProps) {
  const [held, setHeld] = useState(contents)
  const form = useContractForm(route, {
    initial,
    send: (_body, values) => onSave(values),
    onSuccess: () => toast.success(savedText),
    isSame: same,
    lost: editTexts.lost(kind),
  })
  const turn = ({ items, on }: Turned<Media>) => {
    const ids = new Set(items.map(({ _id }) => _id))
    const others = form.values.mediaIds.filter((id) => !ids.has(id))
    form.set('mediaIds', on ? [...others, ...ids] : others)
    setHeld(withItems(held, items, on ? 1 : -1))
  }

  return (
    <Page
      title={kind === 'subscription' ? editTexts.subscription : editTexts.bundle}
      lead={kind === 'subscription' ? editTexts.subscriptionLead : editTexts.bundleLead}
      action={
        <LinkButton to={paths.premiumContent} variant="default">
          {editTexts.all}
        </LinkButton>
      }
    >
      <ContractForm form={form}>
        <Card>
          <div className={styles.fields}>
            <FieldPair>
              <TextField label={editTexts.title} required {...form.field('title')} />
              <PriceField
                label={kind === 'subscription' ? editTexts.pricePerMonth : editTexts.price}
                {...(kind === 'subscription' ? { per: 'month' as const } : {})}
                required
                {...form.field('price')}
              />
            </FieldPair>
            {kind === 'subscription' && (
              <Switch
                label={editTexts.chat}
                checked={form.values.chatEnabled}
                onChange={(event) => form.set('chatEnabled', event.currentTarget.checked)}
              />
            )}
          </div>
        </Card>
        <MediaPicker kind={kind} creatorId={creatorId} selected={form.values.mediaIds} onTurn={turn} />
        <div className={styles.bar}>
          <FormError>{form.error ?? form.errorAt('mediaIds')}</FormError>
          <div className={styles.line}>
            <p className={styles.held} role="status">
              <strong>{editTexts.selected(formatNumber(form.values.mediaIds.length))}</strong>
              <span className={styles.counts}>{formatContents(held) ?? editTexts.empty}</span>
            </p>
            <p className={styles.state} data-unsaved={form.dirty || undefined}>
              {form.dirty ? editTexts.unsaved : editTexts.saved}
            </p>
            <Button type="submit" loading={form.pending}>
              {editTexts.save}
            </Button>
          </div>
        </div>
      </ContractForm>
    </Page>
  )
}

/** The same title, price and media; the order of media counts. */
function same(one: Edited, other: Edited): boolean {
  return (
    one.title === other.title &&
    one.price === other.price &&
    one.chatEnabled === other.chatEnabled &&
    one.mediaIds.length === other.mediaIds.length &&
    one.mediaIds.every((id, index) => id === other.mediaIds[index])
  )
}
