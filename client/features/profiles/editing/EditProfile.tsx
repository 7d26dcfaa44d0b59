import { profileRoutes } from '../../../../contract/routes/profiles/profiles.ts'
import { cleanForumUsername } from '../../../../contract/usernames.ts'
import { paths } from '../../../lib/paths.ts'
import type { Person } from '../../../lib/session.tsx'
import { Button } from '../../../ui/core/Button.tsx'
import { TextField } from '../../../ui/Field.tsx'
import { FieldPair } from '../../../ui/Form.tsx'
import { FormError } from '../../../ui/FormError.tsx'
import { ContractForm, useContractForm } from '../../../ui/forms/ContractForm.tsx'
import { LinkButton } from '../../../ui/LinkButton.tsx'
import { TextAreaField } from '../../../ui/TextAreaField.tsx'
import { type Prove, useEditProfile } from '../api.ts'
import styles from './editing.module.css'
import { LinksEditor } from './LinksEditor.tsx'
import { PictureField } from './PictureField.tsx'
import {
  filledLinks,
  type ProfileForm,
  profileChanged,
  profileFormOf,
  rowPath,
  sentLinks,
} from './profile-form.ts'

/** Name, pictures, words and links of one's own profile (docs/product.md, Pages and Texts). Nothing typed is lost when it fails. */
export function EditProfile({ person, prove }: { person: Person; prove: Prove }) {
  const edit = useEditProfile(prove)
  const form = useContractForm(profileRoutes.editProfile, {
    initial: profileFormOf(person),
    body: ({ links, menu, limits, profileImage: _, profileHeroImage: _hero, ...details }) => ({
      id: person._id,
      ...details,
      ...(person.isCreator ? { menu, limits } : {}),
      links: sentLinks(links),
    }),
    pathOf: (path, { links }) => rowPath(path, links),
    send: (body, { profileImage, profileHeroImage }) => {
      const pictures = Object.entries({ profileImage, profileHeroImage })
      const files = Object.fromEntries(
        pictures.flatMap(([name, picture]) => (picture ? [[name, picture]] : [])),
      )
      return edit.mutateAsync({ body, files })
    },
    afterSaved: (_answer, sent, now) => ({ saved: asKept(sent), values: asKept(now) }),
    isSame: (one, other) => !profileChanged(one, other),
    lost: 'What you changed in your profile isn’t saved.',
  })

  return (
    <ContractForm form={form}>
      <PictureField
        kind="hero"
        current={person.profileHeroImage}
        name={person.username}
        chosen={form.values.profileHeroImage}
        onChosen={(picture) => form.set('profileHeroImage', picture)}
        error={form.errorAt('profileHeroImage')}
      />
      <PictureField
        kind="avatar"
        current={person.profileImage}
        name={person.username}
        chosen={form.values.profileImage}
        onChosen={(picture) => form.set('profileImage', picture)}
        error={form.errorAt('profileImage')}
      />
      <FieldPair>
        <TextField label="First name" autoComplete="given-name" required {...form.field('firstName')} />
        <TextField label="Last name (optional)" autoComplete="family-name" {...form.field('lastName')} />
      </FieldPair>
      <FieldPair>
        <TextField
          label="Username"
          autoComplete="nickname"
          required
          description="Part of your profile’s address."
          {...form.field('username')}
        />
        <TextField
          label="Forum username"
          prefix="/u/"
          required
          description="Only you see it."
          {...form.field('redditUsername')}
          onChange={(typed) => form.set('redditUsername', cleanForumUsername(typed))}
        />
      </FieldPair>
      <TextField
        label="Email"
        type="email"
        autoComplete="email"
        required
        description="We’ll send a link to a new email. It’s used once you open it."
        {...form.field('email')}
      />
      <TextAreaField label="Bio" {...form.field('bio')} />
      {person.isCreator && (
        <>
          <TextAreaField label="Menu" description="What you offer on request." {...form.field('menu')} />
          <TextAreaField label="Limits" description="What you do not do." {...form.field('limits')} />
        </>
      )}
      <LinksEditor
        links={form.values.links}
        errorAt={form.errorAt}
        onChange={(links) => form.set('links', links)}
      />
      <FormError>{form.error}</FormError>
      <div className={styles.save}>
        <Button type="submit" size="lg" loading={form.pending}>
          Save
        </Button>
        <LinkButton to={paths.profile(person.username)} variant="default" size="lg">
          See your profile
        </LinkButton>
      </div>
      <p role="status" className={styles.done}>
        {form.answer?.message}
        {form.answer?.verifiedEmail === 'unverified' && ' Please check your email to confirm the address.'}
      </p>
    </ContractForm>
  )
}

/** As it is once it was saved: the pictures were taken, and rows that were left empty are gone. */
function asKept(form: ProfileForm): ProfileForm {
  return { ...form, links: filledLinks(form.links), profileImage: null, profileHeroImage: null }
}
