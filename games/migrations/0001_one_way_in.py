from __future__ import annotations

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

from games.migrations import _frozen


class Migration(migrations.Migration):

    initial = True

    dependencies = [
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name='Device',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('session_key', models.CharField(max_length=40, unique=True)),
                ('browser', models.CharField(blank=True, max_length=20)),
                ('system', models.CharField(blank=True, max_length=20)),
                ('since', models.DateTimeField(default=django.utils.timezone.now)),
                ('seen_on', models.DateField()),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='devices', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-seen_on', '-since', '-pk'],
            },
        ),
        migrations.CreateModel(
            name='Member',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('slug', models.CharField(max_length=40)),
                ('name', models.CharField(max_length=20)),
                ('colour', models.PositiveSmallIntegerField()),
                ('account', models.CharField(blank=True, max_length=80)),
                ('merged_at', models.DateTimeField(blank=True, null=True)),
                ('retired_at', models.DateTimeField(blank=True, null=True)),
                ('merged_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('merged_into', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='merged', to='games.member')),
            ],
            options={
                'ordering': ['pk'],
            },
        ),
        migrations.CreateModel(
            name='Table',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(default=_frozen.new_code, editable=False, max_length=16, unique=True)),
                ('identity', models.CharField(blank=True, db_default='', default='', editable=False, max_length=26)),
                ('name', models.CharField(max_length=60)),
                ('unit', models.CharField(default='$', max_length=12)),
                ('decimals', models.PositiveSmallIntegerField(default=0)),
                ('language', models.CharField(max_length=12)),
                ('timezone', models.CharField(max_length=64)),
                ('region', models.CharField(blank=True, db_default='', default='', max_length=8)),
                ('pays_on_the_spot', models.BooleanField(default=False)),
                ('revision', models.PositiveIntegerField(default=0)),
                ('version', models.PositiveBigIntegerField(default=0)),
                ('created_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('erased_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'constraints': [models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='table_is_named'), models.CheckConstraint(condition=models.Q(('unit', ''), _negated=True), name='table_has_a_unit'), models.CheckConstraint(condition=models.Q(('decimals__gte', 0), ('decimals__lte', 3)), name='table_decimals_up_to_three')],
            },
        ),
        migrations.CreateModel(
            name='SharedCost',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('night', models.DateField()),
                ('amount', models.BigIntegerField()),
                ('sharers', models.JSONField()),
                ('note', models.CharField(blank=True, max_length=200)),
                ('is_forgiven', models.BooleanField(default=False)),
                ('key', models.CharField(max_length=64)),
                ('made_at', models.DateTimeField()),
                ('recorded_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('arrived_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('payer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='costs_paid', to='games.member')),
                ('recorded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='costs', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='costs', to='games.table')),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('table', 'key'), name='cost_key_once_a_table'),
                    models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='cost_is_of_something'),
                    models.CheckConstraint(condition=models.Q(('key', ''), _negated=True), name='cost_has_a_key'),
                    models.CheckConstraint(condition=models.Q(('made_at__lte', models.F('recorded_at'))), name='cost_made_before_it_is_recorded'),
                    models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('ended_by__isnull', True), ('reason', '')), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False)), _connector='OR'), name='cost_ended_by_somebody'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Season',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=60)),
                ('starts_on', models.DateField()),
                ('order', models.CharField(blank=True, db_default='', default='', max_length=8)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='seasons', to='games.table')),
            ],
            options={
                'ordering': ['starts_on', 'pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('table', 'starts_on'), name='season_one_a_first_night'),
                    models.CheckConstraint(condition=models.Q(('order__in', ['', 'wins', 'points', 'average', 'money'])), name='season_known_order'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Payment',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.BigIntegerField()),
                ('method', models.CharField(max_length=10)),
                ('note', models.CharField(blank=True, max_length=200)),
                ('key', models.CharField(max_length=64)),
                ('made_at', models.DateTimeField()),
                ('paid_on', models.DateField(blank=True, null=True)),
                ('recorded_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('arrived_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('is_claim', models.BooleanField(default=False)),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('disputed_at', models.DateTimeField(blank=True, null=True)),
                ('objection', models.CharField(blank=True, max_length=200)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('reason', models.CharField(blank=True, max_length=200)),
                ('confirmed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('disputed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('payee', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payments_taken', to='games.member')),
                ('payer', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payments_made', to='games.member')),
                ('recorded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payments', to=settings.AUTH_USER_MODEL)),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='payments', to='games.table')),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('table', 'key', 'payer', 'payee'), name='payment_key_once_a_pair'),
                    models.CheckConstraint(condition=models.Q(('amount__gt', 0)), name='payment_is_of_something'),
                    models.CheckConstraint(condition=models.Q(('payer', models.F('payee')), _negated=True), name='payment_between_two'),
                    models.CheckConstraint(condition=models.Q(('key', ''), _negated=True), name='payment_has_a_key'),
                    models.CheckConstraint(condition=models.Q(('method__in', ['cash', 'transfer', 'forgiven'])), name='payment_method_is_known'),
                    models.CheckConstraint(condition=models.Q(models.Q(('confirmed_at__isnull', True), ('confirmed_by__isnull', True)), models.Q(('confirmed_at__isnull', False), ('confirmed_by__isnull', False)), _connector='OR'), name='payment_confirmed_by_somebody'),
                    models.CheckConstraint(condition=models.Q(models.Q(('disputed_at__isnull', True), ('disputed_by__isnull', True)), models.Q(('disputed_at__isnull', False), ('disputed_by__isnull', False)), _connector='OR'), name='payment_disputed_by_somebody'),
                    models.CheckConstraint(condition=models.Q(models.Q(('ended_at__isnull', True), ('ended_by__isnull', True)), models.Q(('ended_at__isnull', False), ('ended_by__isnull', False)), _connector='OR'), name='payment_ended_by_somebody'),
                    models.CheckConstraint(condition=models.Q(('is_claim', True), ('disputed_at__isnull', False), ('confirmed_at', None), _connector='OR'), name='payment_confirmed_was_open'),
                    models.CheckConstraint(condition=models.Q(('disputed_at__isnull', False), ('objection', ''), _connector='OR'), name='payment_objection_is_to_it'),
                    models.CheckConstraint(condition=models.Q(('ended_at__isnull', False), ('reason', ''), _connector='OR'), name='payment_reason_is_of_an_end'),
                    models.CheckConstraint(condition=models.Q(('made_at__lte', models.F('recorded_at'))), name='payment_made_before_it_is_recorded'),
                ],
            },
        ),
        migrations.AddField(
            model_name='member',
            name='table',
            field=models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='members', to='games.table'),
        ),
        migrations.CreateModel(
            name='Link',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('kind', models.CharField(max_length=10)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('role', models.CharField(blank=True, max_length=10)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField()),
                ('used_at', models.DateTimeField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('made_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='links', to=settings.AUTH_USER_MODEL)),
                ('used_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='sign_in_links', to=settings.AUTH_USER_MODEL)),
                ('member', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='links', to='games.member')),
                ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='links', to='games.table')),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(models.Q(('kind', 'sign_in'), ('member', None), ('role', ''), ('table', None), ('user__isnull', False)), models.Q(('kind', 'tonight'), ('member', None), ('role', 'witness'), ('table__isnull', False), ('user', None)), models.Q(('kind', 'personal'), ('role__in', ['owner', 'scorer', 'witness']), ('table__isnull', False), ('user', None)), _connector='OR'), name='link_has_what_its_kind_has'),
                    models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('made_at'))), name='link_ends_after_it_is_made'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Game',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('code', models.CharField(default=_frozen.new_code, editable=False, max_length=16, unique=True)),
                ('key', models.CharField(max_length=64)),
                ('discarded_at', models.DateTimeField(blank=True, null=True)),
                ('variant', models.CharField(max_length=32)),
                ('started_at', models.DateTimeField()),
                ('night_number', models.IntegerField()),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('pot', models.BigIntegerField(default=0)),
                ('decided_in', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('spot_nets', models.JSONField(blank=True, null=True)),
                ('spot_at', models.DateTimeField(blank=True, null=True)),
                ('spot_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('season', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games', to='games.season')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='games', to='games.table')),
            ],
            options={
                'ordering': ['-started_at', '-pk'],
                'constraints': [
                    models.UniqueConstraint(fields=('table', 'key'), name='game_key_once_a_table'),
                    models.CheckConstraint(condition=models.Q(('key', ''), _negated=True), name='game_has_a_key'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Entry',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=12)),
                ('night', models.DateField()),
                ('at', models.DateTimeField()),
                ('key', models.CharField(blank=True, max_length=64, null=True)),
                ('differences', models.JSONField()),
                ('before', models.JSONField()),
                ('after', models.JSONField()),
                ('by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='games.game')),
                ('member', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='games.member')),
                ('payment', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='games.payment')),
                ('cost', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='games.sharedcost')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='entries', to='games.table')),
            ],
            options={
                'ordering': ['number'],
                'constraints': [
                    models.UniqueConstraint(fields=('table', 'number'), name='entry_number_once_a_table'),
                    models.UniqueConstraint(fields=('table', 'key'), name='entry_key_once_a_table'),
                    models.CheckConstraint(condition=models.Q(('kind__in', ['ended', 'corrected', 'reopened', 'discarded', 'restored', 'on_the_spot', 'paid', 'unpaid', 'shared', 'unshared', 'opened', 'unopened', 'merged', 'parted', 'simplified', 'repaired'])), name='entry_kind_is_known'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Debt',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('amount', models.BigIntegerField()),
                ('version', models.PositiveIntegerField()),
                ('since', models.PositiveIntegerField()),
                ('one', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.member')),
                ('other', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='+', to='games.member')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='debts', to='games.table')),
            ],
            options={
                'ordering': ['one', 'other'],
                'constraints': [
                    models.UniqueConstraint(fields=('one', 'other'), name='debt_once_a_pair'),
                    models.CheckConstraint(condition=models.Q(('one__lt', models.F('other'))), name='debt_in_the_order_of_joining'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Access',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('role', models.CharField(max_length=10)),
                ('name', models.CharField(blank=True, max_length=20)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('confirmed_at', models.DateTimeField(blank=True, null=True)),
                ('until', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('opened_on', models.DateField(blank=True, null=True)),
                ('asked_at', models.DateTimeField(blank=True, null=True)),
                ('took_over_at', models.DateTimeField(blank=True, null=True)),
                ('confirmed_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('ended_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('raised_by', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL)),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='accesses', to=settings.AUTH_USER_MODEL)),
                ('member', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.PROTECT, related_name='accesses', to='games.member')),
                ('table', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='accesses', to='games.table')),
            ],
            options={
                'constraints': [
                    models.UniqueConstraint(fields=('user', 'table'), name='access_once_a_user_and_table'),
                    models.UniqueConstraint(condition=models.Q(('confirmed_at__isnull', False), ('ended_at', None)), fields=('member',), name='access_one_confirmed_a_member'),
                    models.CheckConstraint(condition=models.Q(('role__in', ['owner', 'scorer', 'witness'])), name='access_role_is_known'),
                    models.CheckConstraint(condition=models.Q(('member', None), ('name', ''), _connector='OR'), name='access_name_is_of_no_member'),
                    models.CheckConstraint(condition=models.Q(('confirmed_at', None), ('member__isnull', False), _connector='OR'), name='access_confirms_a_member'),
                ],
            },
        ),
        migrations.CreateModel(
            name='Token',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('name', models.CharField(max_length=40)),
                ('token_hash', models.CharField(max_length=64, unique=True)),
                ('made_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('expires_at', models.DateTimeField()),
                ('used_on', models.DateField(blank=True, null=True)),
                ('revoked_at', models.DateTimeField(blank=True, null=True)),
                ('table', models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to='games.table')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='tokens', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['-made_at', '-pk'],
                'constraints': [
                    models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='token_is_named'),
                    models.CheckConstraint(condition=models.Q(('expires_at__gt', models.F('made_at'))), name='token_ends_after_it_is_made'),
                ],
            },
        ),
        migrations.CreateModel(
            name='HandSource',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('player', models.CharField(max_length=40)),
                ('is_changed', models.BooleanField()),
                ('brought_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='brought_hands', to=settings.AUTH_USER_MODEL)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='hand_sources', to='games.game')),
            ],
            options={
                'ordering': ['number', 'pk'],
                'constraints': [models.UniqueConstraint(fields=('game', 'number', 'player'), name='hand_source_once_a_hand'), models.CheckConstraint(condition=models.Q(('number__gte', 2)), name='hand_source_never_of_the_start'), models.CheckConstraint(condition=models.Q(('player', ''), _negated=True), name='hand_source_of_somebodys_hand')],
            },
        ),
        migrations.CreateModel(
            name='Offer',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('player', models.CharField(max_length=40)),
                ('round_number', models.PositiveIntegerField()),
                ('after', models.PositiveIntegerField()),
                ('closing', models.CharField(blank=True, max_length=64)),
                ('hand', models.CharField(blank=True, max_length=500)),
                ('offered_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='offers', to='games.game')),
                ('user', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='offers', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['pk'],
                'constraints': [models.UniqueConstraint(fields=('game', 'player', 'user'), name='offer_once_a_player_and_user'), models.CheckConstraint(condition=models.Q(('closing', ''), ('hand', ''), _negated=True), name='offer_has_a_hand_or_closing'), models.CheckConstraint(condition=models.Q(('player', ''), _negated=True), name='offer_of_somebody')],
            },
        ),
        migrations.CreateModel(
            name='Record',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveIntegerField()),
                ('kind', models.CharField(max_length=40)),
                ('data', models.JSONField()),
                ('key', models.CharField(blank=True, max_length=64, null=True)),
                ('recorded_at', models.DateTimeField()),
                ('arrived_at', models.DateTimeField(default=django.utils.timezone.now)),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='records', to='games.game')),
                ('recorded_by', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='records', to=settings.AUTH_USER_MODEL)),
            ],
            options={
                'ordering': ['number'],
                'constraints': [models.UniqueConstraint(fields=('game', 'number'), name='record_number_once_a_game'), models.UniqueConstraint(fields=('game', 'key'), name='record_key_once_a_game'), models.CheckConstraint(condition=models.Q(('number__gte', 1)), name='record_numbers_from_one'), models.CheckConstraint(condition=models.Q(('key__isnull', True), models.Q(('key', ''), _negated=True), _connector='OR'), name='record_key_not_blank')],
            },
        ),
        migrations.CreateModel(
            name='Result',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('points', models.PositiveSmallIntegerField()),
                ('net', models.BigIntegerField()),
                ('won', models.BooleanField()),
                ('reentries', models.PositiveSmallIntegerField()),
                ('rounds_won', models.PositiveSmallIntegerField()),
                ('total', models.IntegerField(blank=True, null=True)),
                ('in_one_go', models.PositiveSmallIntegerField()),
                ('survived', models.PositiveSmallIntegerField()),
                ('variant', models.CharField(max_length=32)),
                ('night_number', models.IntegerField()),
                ('game', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='results', to='games.game')),
                ('member', models.ForeignKey(on_delete=django.db.models.deletion.PROTECT, related_name='results', to='games.member')),
            ],
            options={
                'ordering': ['game', 'place', 'pk'],
                'indexes': [models.Index(fields=['member', 'night_number', 'game', 'variant', 'place', 'points', 'won', 'net', 'total', 'in_one_go', 'survived', 'reentries'], name='result_by_member_and_night'), models.Index(fields=['game', 'member', 'place', 'won', 'net'], name='result_by_game')],
                'constraints': [models.UniqueConstraint(fields=('game', 'member'), name='result_once_a_member'), models.CheckConstraint(condition=models.Q(('place__isnull', True), ('place__gte', 1), _connector='OR'), name='result_places_from_one'), models.CheckConstraint(condition=models.Q(('won', False), ('place', 1), _connector='OR'), name='result_winners_are_first')],
            },
        ),
        migrations.AddIndex(
            model_name='payment',
            index=models.Index(fields=['table', '-made_at'], name='payment_by_table_and_time'),
        ),
        migrations.AddConstraint(
            model_name='member',
            constraint=models.UniqueConstraint(fields=('table', 'slug'), name='member_slug_once_a_table'),
        ),
        migrations.AddConstraint(
            model_name='member',
            constraint=models.CheckConstraint(condition=models.Q(('slug__in', ['', 'nobody']), _negated=True), name='member_slug_is_somebody'),
        ),
        migrations.AddConstraint(
            model_name='member',
            constraint=models.CheckConstraint(condition=models.Q(('name', ''), _negated=True), name='member_is_named'),
        ),
        migrations.AddConstraint(
            model_name='member',
            constraint=models.CheckConstraint(condition=models.Q(('colour__gte', 1), ('colour__lte', 8)), name='member_colour_one_to_eight'),
        ),
        migrations.AddConstraint(
            model_name='member',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into__isnull', True), models.Q(('merged_into', models.F('pk')), _negated=True), _connector='OR'), name='member_not_merged_into_self'),
        ),
        migrations.AddConstraint(
            model_name='member',
            constraint=models.CheckConstraint(condition=models.Q(('merged_into__isnull', False), models.Q(('merged_at__isnull', True), ('merged_by__isnull', True)), _connector='OR'), name='member_merged_says_when'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['table', '-started_at'], name='game_by_table_and_start'),
        ),
        migrations.AddIndex(
            model_name='game',
            index=models.Index(fields=['table', 'discarded_at', 'night_number', 'variant', 'ended_at', 'pot', 'decided_in'], name='game_by_table_and_night'),
        ),
        migrations.RunSQL(
            "CREATE INDEX games_folded_name ON auth_user (LOWER(username))",
            "DROP INDEX games_folded_name",
        ),
        migrations.RunPython(_frozen.install_guards, _frozen.remove_guards),
    ]
