#!/bin/sh
# Makes a certificate authority and one certificate that scheduler, workers and clients of Dask share.
# Usage: certificates.sh FOLDER NAME...     NAME: host names and addresses of the scheduler
set -eu
if [ $# -lt 2 ]; then
    echo "usage: certificates.sh FOLDER NAME..." >&2
    exit 2
fi
folder=$1
shift
umask 077
mkdir -p "$folder"
names=""
for name in "$@"; do
    case $name in
        *[!0-9.]*) kind=DNS ;;
        *) kind=IP ;;
    esac
    names="$names${names:+,}$kind:$name"
done
days=825
openssl req -x509 -newkey rsa:3072 -nodes -sha256 -days $days -subj "/CN=credence dask authority" \
    -keyout "$folder/ca.key" -out "$folder/ca.pem"
openssl req -newkey rsa:3072 -nodes -sha256 -subj "/CN=credence dask" \
    -keyout "$folder/dask.key" -out "$folder/dask.csr"
printf 'subjectAltName=%s\nextendedKeyUsage=serverAuth,clientAuth\n' "$names" > "$folder/dask.ext"
openssl x509 -req -in "$folder/dask.csr" -CA "$folder/ca.pem" -CAkey "$folder/ca.key" -CAcreateserial \
    -sha256 -days $days -extfile "$folder/dask.ext" -out "$folder/dask.pem"
rm "$folder/dask.csr" "$folder/dask.ext"
echo "wrote ca.pem, dask.pem and dask.key to $folder; keep ca.key elsewhere"
