import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import { mediaErrors } from '../../../../contract/errors/media.ts'
import { parseMoney } from '../../../../contract/money.ts'
import { libraryRoutes } from '../../../../contract/routes/media/library.ts'
import { errorMessage } from '../../../lib/api.ts'
import { paths } from '../../../lib/paths.ts'
import { Button } from '../../../ui/core/Button.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { TextField } from '../../../ui/fields/Field.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { Skeleton } from '../../../ui/Skeleton.tsx'
import { type Media, type MediaChange, mediaQuery } from '../api.ts'
import { AudienceField } from '../edit/AudienceField.tsx'
import { useEditMedia } from '../edit/api.ts'
import { type Audience, audienceWith, flagsOf } from '../edit/words.ts'
import { PriceField } from '../parts/price/PriceField.tsx'
import { WallTile } from '../parts/wall/WallTile.tsx'
import styles from './FinishedMedia.module.css'
import { texts } from './texts.ts'

/** The finished item with what most people want to say of it at once; the rest is on its edit page. */
export function FinishedMedia({
  mediaId,
  fileName,
  sells,
}: {
  mediaId: string
  fileName: string
  sells: boolean
}) {
  const media = useQuery({ ...mediaQuery(mediaId), staleTime: 60_000 })
  const navigate = useNavigate()
  if (media.isPending) return <Skeleton height="5rem" />
  // A loaded item stays when it can't be read again: something may be typed beside it.
  if (!media.data) return <FormError>{errorMessage(media.error)}</FormError>
  return (
    <div className={styles.item}>
      <div className={styles.picture}>
        <WallTile
          media={media.data}
          onOpen={() => void navigate(paths.media(mediaId))}
          ratio={1}
          sizes="8rem"
        />
      </div>
      <QuickForm key={mediaId} media={media.data} fileName={fileName} sells={sells} />
    </div>
  )
}

type Values = { title: string; price: string; audience: Audience | null }
/** The typed values; null for those that follow the item, which may change elsewhere. */
type Typed = { [Name in keyof Values]: Values[Name] | null }

function QuickForm({ media, fileName, sells }: { media: Media; fileName: string; sells: boolean }) {
  const edit = useEditMedia(media._id)
  const kept: Values = { title: media.title, price: media.price, audience: audienceWith(media) }
  const shownOf = (typed: Typed): Values => ({
    title: typed.title ?? kept.title,
    price: typed.price ?? kept.price,
    audience: typed.audience ?? kept.audience,
  })
  const changeOf = (typed: Typed): MediaChange => {
    const { title, price, audience } = shownOf(typed)
    return {
      ...(title !== kept.title ? { title } : {}),
      ...(sells && audience === 'single' && parseMoney(price) !== parseMoney(kept.price) ? { price } : {}),
      ...(sells && audience && audience !== kept.audience ? flagsOf(audience) : {}),
    }
  }
  const nothing: Typed = { title: null, price: null, audience: null }
  const form = useContractForm(libraryRoutes.editMedia, {
    initial: nothing,
    body: (typed) => ({ mediaId: media._id, ...changeOf(typed) }),
    check: (typed) =>
      shownOf(typed).title.trim() === '' ? { title: mediaErrors.must_include_title.text } : {},
    send: (_body, typed) => edit.mutateAsync(changeOf(typed)),
    afterSaved: (_answer, sent, now) => ({
      saved: nothing,
      values: {
        title: now.title === sent.title ? null : now.title,
        price: now.price === sent.price ? null : now.price,
        audience: now.audience === sent.audience ? null : now.audience,
      },
    }),
    isSame: (typed) => Object.keys(changeOf(typed)).length === 0,
    lost: texts.item.lost(fileName),
  })
  const { title, price, audience } = shownOf(form.values)
  return (
    <ContractForm form={form} className={styles.form} label={texts.item.form(fileName)}>
      <TextField label={texts.item.title} {...form.field('title')} value={title} />
      {sells && (
        <AudienceField
          {...form.field('audience')}
          value={audience}
          compact={{ none: texts.item.otherAudience }}
        />
      )}
      {sells && audience === 'single' && (
        <PriceField label={texts.item.price} {...form.field('price')} value={price} />
      )}
      <div className={styles.actions}>
        <Button type="submit" variant="default" size="sm" loading={form.pending}>
          {texts.item.save}
        </Button>
        <LinkButton to={paths.editMedia(media._id)} variant="subtle" size="sm">
          {texts.item.more}
        </LinkButton>
        <span className={styles.saved} role="status">
          {form.answer && texts.item.saved}
        </span>
      </div>
      <FormError>{form.error}</FormError>
    </ContractForm>
  )
}
