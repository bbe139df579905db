# The site in one image: docker build -t anotador .
# Everything that it keeps is in the volume /data. docs/hosting.md says how it is run.

# CONTRIBUTING.md, *Release a version*, has the command that pins it to a digest.
ARG DEBIAN=debian:bookworm-slim
FROM ${DEBIAN} AS packages
RUN apt-get update && apt-get install -y --no-install-recommends python3-venv
COPY requirements-site.lock /
RUN python3 -m venv /venv \
    && /venv/bin/pip install --no-cache-dir --require-hashes -r /requirements-site.lock \
    && /venv/bin/pip uninstall -y setuptools pip
# Catalogues of languages that the app does not have, and the viewer of the API's description that it does not use.
RUN find /venv -type d -regex '.*/locale/[^/]+' ! -regex '.*/locale/\(en\|es\)\(_[A-Za-z]+\)?' -prune -exec rm -rf {} + \
    && rm -rf /venv/lib/python3*/site-packages/drf_spectacular_sidecar/static/drf_spectacular_sidecar/redoc

FROM ${DEBIAN}
LABEL org.opencontainers.image.title="Anotador" org.opencontainers.image.licenses="MIT"
# The client programs of PostgreSQL are for backups of such a database.
RUN apt-get update \
    && apt-get install -y --no-install-recommends postgresql-client python3 \
    && rm -rf /var/lib/apt/lists/*
COPY --from=packages /venv /venv
WORKDIR /app
COPY . .
ARG COMMIT=
ENV PATH=/venv/bin:$PATH PYTHONUNBUFFERED=1 DATA_DIR=/data STATIC_ROOT=/static COMMIT=$COMMIT ANOTADOR_ENV=
RUN python -m compileall -q games scorekeeper \
    && python manage.py collectstatic --no-input --verbosity 0 \
    && python manage.py shell -v 0 -c "from games.management.commands.serve import mark_collected; mark_collected()" \
    && rm -rf /data \
    && useradd --uid 10001 --no-create-home anotador \
    && install -d -o anotador -g anotador -m 700 /data
USER anotador
VOLUME /data
EXPOSE 8000
HEALTHCHECK --start-period=60s CMD ["python", "-c", "import os, urllib.request as r; r.urlopen(f'http://127.0.0.1:{os.environ.get(\"PORT\") or 8000}/readyz')"]
ENTRYPOINT ["python", "manage.py"]
CMD ["serve"]
