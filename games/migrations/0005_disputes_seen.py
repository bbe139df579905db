"""A payer reads once how a dispute of a payment ended. A debt no longer has a first entry: nothing is told by it."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("games", "0004_parts_of_expenses")]

    operations = [
        migrations.AddField(
            model_name="payment",
            name="seen_at",
            field=models.DateTimeField(blank=True, null=True),
        ),
        migrations.RemoveField(model_name="debt", name="since"),
    ]
