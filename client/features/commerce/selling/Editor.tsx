import '@mantine/core/styles/Switch.layer.css'
import { Switch } from '@mantine/core'
import { type ReactNode, useState } from 'react'
import { MAX_MEDIA_SELECTED, MAX_OFFER_DESCRIPTION_LENGTH } from '../../../../contract/constants.ts'
import { parseMoney } from '../../../../contract/money.ts'
import type { bundleRoutes } from '../../../../contract/routes/commerce/bundles.ts'
import type { subscriptionRoutes } from '../../../../contract/routes/commerce/subscriptions.ts'
import { paths } from '../../../lib/paths.ts'
import { BackLink } from '../../../ui/BackLink.tsx'
import { Card } from '../../../ui/Card.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { FieldPair } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { formatContents, formatNumber } from '../../../ui/format.ts'
import { ContractForm, focusSubmit, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { pathById } from '../../../ui/forms/form-errors.ts'
import { Page } from '../../../ui/Page.tsx'
import type { Turned } from '../../../ui/selection.ts'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { toast } from '../../../ui/toast.ts'
import type { FeedMedia, Media } from '../../media/api.ts'
import { PriceField } from '../../media/parts/price/PriceField.tsx'
import { CoverField } from './CoverField.tsx'
import styles from './Editor.module.css'
import { type Change, changeOf, type Edited, same } from './edited.ts'
import { type Held, withItems } from './held.ts'
import { IncludesField } from './IncludesField.tsx'
import { MediaPicker } from './MediaPicker.tsx'
import { RaiseField } from './RaiseField.tsx'
import { TermsField } from './TermsField.tsx'
import { editTexts, pickerTexts } from './texts.ts'

type EditorProps = {
  kind: 'subscription' | 'bundle'
  /** The call that saves it, which knows what title and price must be. */
  route: typeof subscriptionRoutes.editSubscription | typeof bundleRoutes.editBundle
  creatorId: string
  initial: Edited
  /** Its items before any change. */
  contents: Held
  cover: FeedMedia | null
  /** Actions below the form: to stop selling it, or to delete it. */
  below: ReactNode
  savedText: string
  /** Saves what was changed; all else stays as it is kept. */
  onSave: (change: Change) => Promise<unknown>
}

/** Title, price and media of something that is sold. What was typed stays when saving fails. */
export function Editor({
  kind,
  route,
  creatorId,
  initial,
  contents,
  cover: coverBefore,
  below,
  savedText,
  onSave,
}: EditorProps) {
  // Null once items were removed of which nobody knows anymore what they were.
  const [held, setHeld] = useState<Held | null>(contents)
  const [kept, setKept] = useState(initial.price)
  const [cover, setCover] = useState(coverBefore)
  const isRaised = ({ price }: Edited) => (parseMoney(price) ?? 0) > (parseMoney(kept) ?? 0)
  // The choice for a higher price doesn't apply once the price is back.
  const shown = (values: Edited) => ({
    ...values,
    askSubscribers: values.askSubscribers && isRaised(values),
  })
  const form = useContractForm(route, {
    initial,
    body: (values, saved) => changeOf(shown(values), saved),
    send: onSave,
    pathOf: (path, { mediaIds }) => pathById(path, 'mediaIds', mediaIds),
    // Nobody is asked a second time by the next save.
    afterSaved: (_answer, sent, now) => ({
      saved: { ...sent, askSubscribers: false },
      values: { ...now, askSubscribers: false },
    }),
    onSuccess: (_answer, { price }) => {
      setKept(price)
      toast.success(savedText)
    },
    isSame: (one, other) => same(shown(one), shown(other)),
    lost: editTexts.lost(kind),
  })
  const leavesOut = form.values.includes === 'allLocked'
  const list = leavesOut ? 'excludedMediaIds' : 'mediaIds'
  const selected = form.values[list]
  const gone = selected.filter((id) => form.errorAt(`${list}.${id}`))
  const removeGone = () => {
    form.set(
      list,
      selected.filter((id) => !gone.includes(id)),
    )
    setHeld(null)
  }
  const turn = ({ items, on }: Turned<Media>) => {
    const ids = new Set(items.map(({ _id }) => _id))
    const others = selected.filter((id) => !ids.has(id))
    form.set(list, on ? [...others, ...ids] : others)
    if (!leavesOut) setHeld((now) => now && withItems(now, items, on ? 1 : -1))
  }
  const isCut =
    initial.includes === 'allLocked' && !leavesOut && initial.mediaIds.length === MAX_MEDIA_SELECTED

  return (
    <Page
      title={kind === 'subscription' ? editTexts.subscription : editTexts.bundle}
      lead={kind === 'subscription' ? editTexts.subscriptionLead : editTexts.bundleLead}
      back={<BackLink to={paths.premiumContent}>{editTexts.all}</BackLink>}
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
            <TextAreaField
              label={editTexts.description}
              maxLength={MAX_OFFER_DESCRIPTION_LENGTH}
              {...form.field('description')}
            />
            <CoverField
              kind={kind}
              creatorId={creatorId}
              cover={cover}
              onChange={(chosen) => {
                setCover(chosen)
                form.set('coverMediaId', chosen?._id ?? null)
              }}
              error={form.errorAt('coverMediaId')}
            />
            {kind === 'bundle' && (
              <Switch
                label={editTexts.lessOwned}
                description={editTexts.lessOwnedHint}
                checked={form.values.lessOwned}
                onChange={(event) => form.set('lessOwned', event.currentTarget.checked)}
              />
            )}
            {kind === 'subscription' && (
              <>
                {isRaised(form.values) && (
                  <RaiseField
                    ask={form.values.askSubscribers}
                    onChange={(ask) => form.set('askSubscribers', ask)}
                  />
                )}
                <TermsField
                  terms={form.values.terms}
                  monthly={form.values.price}
                  onChange={(terms) => form.set('terms', terms)}
                  errorAt={form.errorAt}
                />
                <Switch
                  label={editTexts.chat}
                  checked={form.values.chatEnabled}
                  onChange={(event) => form.set('chatEnabled', event.currentTarget.checked)}
                />
                <IncludesField
                  value={form.values.includes}
                  onChange={(includes) => form.set('includes', includes)}
                />
                {isCut && (
                  <p className={styles.note}>{editTexts.tooMany(formatNumber(MAX_MEDIA_SELECTED))}</p>
                )}
              </>
            )}
          </div>
        </Card>
        <MediaPicker
          key={list}
          kind={kind}
          creatorId={creatorId}
          selected={selected}
          onTurn={turn}
          title={(leavesOut ? pickerTexts.leftOutTitle : pickerTexts.title)(formatNumber(selected.length))}
          {...(leavesOut ? { hint: pickerTexts.leftOutHint } : {})}
        />
        <div className={styles.bar}>
          <FormError>
            {form.error ?? form.errorAt(list) ?? (gone.length > 0 && editTexts.gone(gone.length))}
          </FormError>
          {gone.length > 0 && (
            <Button
              size="sm"
              variant="default"
              onClick={({ currentTarget }) => {
                removeGone()
                // It goes with what it removes; saving is next.
                focusSubmit(currentTarget.form)
              }}
            >
              {editTexts.removeGone(gone.length)}
            </Button>
          )}
          <div className={styles.line}>
            <p className={styles.held} role="status">
              <strong>
                {leavesOut
                  ? editTexts.allLocked(selected.length)
                  : editTexts.selected(formatNumber(selected.length))}
              </strong>
              {!leavesOut && held && (
                <span className={styles.counts}>{formatContents(held) ?? editTexts.empty}</span>
              )}
            </p>
            <p className={styles.state} data-unsaved={form.dirty || undefined}>
              {form.dirty ? editTexts.unsaved : editTexts.saved}
            </p>
            <Button
              type="submit"
              className={styles.save}
              loading={form.pending}
              // It keeps the focus, and says that there is nothing to save.
              aria-disabled={!form.dirty || undefined}
              onClick={(event) => {
                if (!form.dirty) event.preventDefault()
              }}
            >
              {editTexts.save}
            </Button>
          </div>
        </div>
      </ContractForm>
      {below}
    </Page>
  )
}
